import type { AdapterDocument, Page } from "../adapter.ts";
import type { Clock } from "../http/clock.ts";
import { pushWith } from "../push/push-documents.ts";
import type { FeedCursor, PushDocument } from "../wire.ts";
import { AdapterThrew } from "./explain-failure.ts";
import { checkState } from "./keep-state.ts";
import type { RunSyncOptions, SyncSummary } from "./options.ts";
import type { FeedFacts } from "./run-api.ts";
import { toWireCursor } from "./wire-cursor.ts";

/** Where a walk stands between its pages. */
export type Walk = {
  /** The last authoritative cursor: what the next page's compare-and-swap expects. */
  before: string | null;
  /** False once another writer overtook a walk that goes on: its further cursors would only conflict. */
  sendsCursor: boolean;
  /** May the walk be left for one from the other writer's cursor? A listing goes on to its end. */
  mayRestart: boolean;
};

/** Pushes the pages of one walk, and adds up what became of them. */
export class Walker {
  /** Did somebody else move the cursor ahead of this walk? */
  overtaken = false;
  /** Of the last page. */
  complete = false;
  readonly #options: RunSyncOptions;
  readonly #feed: { facts: FeedFacts; feedId: string };
  readonly #summary: SyncSummary;
  readonly #clock: Clock;

  constructor(
    options: RunSyncOptions,
    feed: { facts: FeedFacts; feedId: string },
    summary: SyncSummary,
    clock: Clock,
  ) {
    this.#options = options;
    this.#feed = feed;
    this.#summary = summary;
    this.#clock = clock;
  }

  /** Pages over 50 documents are split; only the last slice carries the cursor. */
  async push(page: Page, walk: Walk, signal: AbortSignal): Promise<void> {
    checkPage(page);
    const summary = this.#summary;
    const cursor = walk.sendsCursor ? this.#cursorOf(page) : undefined;
    const pushed = await pushWith(
      {
        ...this.#options.client,
        feedId: this.#feed.feedId,
        runId: summary.runId,
        documents: page.documents.map(toPushDocument),
        ...(cursor !== undefined && { cursor, cursorBefore: walk.before }),
        signal,
        onStatus: (status) => status.type === "retrying" && this.#options.onStatus?.(status),
      },
      this.#clock,
    );
    summary.pages += 1;
    summary.created += pushed.created;
    summary.updated += pushed.updated;
    summary.skipped += pushed.documentsSkipped;
    summary.deleted += pushed.documentsDeleted;
    summary.rejected.push(...pushed.documentsRejected);
    summary.cursor = pushed.cursor;
    summary.warnings.push(...pushed.warnings.filter(({ code }) => !this.#isKnown(code)));
    this.complete = page.complete === true;
    walk.before = pushed.cursor;
    if (cursor !== undefined && pushed.conflict && pushed.cursorOutcome === "kept") {
      this.overtaken = true;
      walk.sendsCursor = false;
    }
    this.#options.onStatus?.({ type: "page", documents: page.documents.length, cursor: pushed.cursor });
  }

  #cursorOf({ cursor }: Page): FeedCursor | undefined {
    if (!cursor) return undefined;
    const { watermark } = this.#options.adapter;
    if (cursor.type !== watermark && cursor.type !== "none") {
      throw fault(
        `The adapter declares the watermark "${watermark}" and sent a cursor of type "${cursor.type}".`,
      );
    }
    return toWireCursor(cursor, this.#feed.facts.watermark !== null);
  }

  #isKnown(code: string): boolean {
    return this.#summary.warnings.some((warning) => warning.code === code);
  }
}

/** `key` is for adapters that the server runs itself; over the wire a document is known by its id. */
function toPushDocument({ key: _, ...document }: AdapterDocument): PushDocument {
  return document;
}

function checkPage(page: Page): void {
  if (!Array.isArray(page?.documents)) throw fault("A page without a list of documents.");
  if (page.state === undefined) return;
  try {
    checkState(page.state);
  } catch (error) {
    throw new AdapterThrew("the adapter failed", { cause: error });
  }
}

function fault(message: string): AdapterThrew {
  return new AdapterThrew(message, { cause: new Error(message) });
}
