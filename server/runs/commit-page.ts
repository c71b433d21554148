import type { Page } from "@/sdk/adapter";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { canonicalJson, cleanText } from "@/server/ingest/canonical-json";
import { serializeCursor } from "@/server/ingest/cursor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { MAX_DOCUMENTS } from "@/server/ingest/schema";
import { AdapterFault } from "./explain-ending";

const MAX_STATE_BYTES = 64 * 1024;
const MAX_TITLE_LENGTH = 500;

/** Where a walk stands between its pages. */
export type Walk = {
  /** The last authoritative cursor: what the next page's compare-and-swap expects. */
  cursor: string | null;
  /** False after another writer overtook this walk: its further cursors would only conflict. */
  sendsCursor: boolean;
  /** A token feed that lists again from nothing: the fresh token's transition says so. */
  resync: boolean;
};

/**
 * Stores one page in slices of 50. Only the last slice carries cursor and state: a crash in between
 * repeats the page, it never skips a part of it.
 *
 * @returns the walk after the page.
 * @throws AdapterFault for a page that breaks the contract; AppError as ingestDocuments.
 */
export async function commitPage(
  db: Db,
  caller: Caller,
  { feedId, runId }: { feedId: string; runId: string },
  page: Page,
  walk: Walk,
): Promise<Walk> {
  checkPage(page);
  const lastStart = Math.max(0, Math.floor((page.documents.length - 1) / MAX_DOCUMENTS) * MAX_DOCUMENTS);
  for (let start = 0; start < lastStart; start += MAX_DOCUMENTS) {
    await ingestDocuments(db, caller, {
      feedId,
      runId,
      fromAdapter: true,
      documents: page.documents.slice(start, start + MAX_DOCUMENTS),
    });
  }

  const cursor = page.cursor && walk.sendsCursor ? serializeCursor(page.cursor) : null;
  const result = await ingestDocuments(db, caller, {
    feedId,
    runId,
    fromAdapter: true,
    documents: page.documents.slice(lastStart),
    ...(cursor === null ? {} : { cursor, cursorBefore: walk.cursor, resync: walk.resync }),
    page: {
      state: page.state && JSON.parse(canonicalJson(page.state)),
      hints: page.hints,
      feedTitle:
        page.feedTitle === undefined
          ? undefined
          : cleanText(page.feedTitle).trim().slice(0, MAX_TITLE_LENGTH) || undefined,
    },
  });
  const overtaken = result.conflict && result.cursorOutcome === "kept";
  return {
    cursor: result.cursor,
    sendsCursor: walk.sendsCursor && !overtaken,
    resync: walk.resync && result.cursorOutcome !== "advanced",
  };
}

function checkPage(page: Page): void {
  if (!Array.isArray(page?.documents)) throw fault("A page without a list of documents.");
  if (page.state !== undefined && Buffer.byteLength(JSON.stringify(page.state)) > MAX_STATE_BYTES) {
    throw fault("The adapter's state is larger than 64 KiB.");
  }
}

function fault(message: string): AdapterFault {
  return new AdapterFault(message, { cause: new Error(message) });
}
