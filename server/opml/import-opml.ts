import { maskUrl } from "@/sdk/mask-url";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { sha256 } from "@/server/ids";
import { log } from "@/server/log";
import { createSource } from "@/server/sources/create-source";
import { asUnavailable } from "@/server/transaction";
import { foldAddress, type Judged, judgeOutlines } from "./judge-outlines";
import { clean } from "./parse-opml";
import type { ImportOpmlInput } from "./schema";

export type ImportedFeed = {
  /** Place in the call. */
  index: number;
  shownUrl: string;
  outcome: "created" | "duplicate" | "invalid" | "failed";
  /** Why not; null when created. */
  reason: string | null;
  feedId: string | null;
  sourceId: string | null;
};

export type ImportResult = { results: ImportedFeed[]; created: number };

type Wanted = ImportOpmlInput["feeds"][number];

/**
 * Connects up to 50 feeds of an OPML file: one source each, named by its title; folders are kept in the
 * feed's config. Each stands alone: what fails does not stop the others. Sending the same feeds again,
 * even at the same time, adds nothing: the source's key is made from the address.
 */
export async function importOpml(db: Db, caller: Caller, { feeds }: ImportOpmlInput): Promise<ImportResult> {
  const judged = await judgeOutlines(db, caller, feeds);
  const results: ImportedFeed[] = [];
  for (const [index, wanted] of feeds.entries()) {
    const verdict = judged[index];
    if (!verdict) throw new Error("a feed without a verdict");
    results.push({
      index,
      shownUrl: maskUrl(verdict.url),
      ...(await importOne(db, caller, wanted, verdict)),
    });
  }
  return { results, created: results.filter((result) => result.outcome === "created").length };
}

async function importOne(
  db: Db,
  caller: Caller,
  wanted: Wanted,
  verdict: Judged,
): Promise<Omit<ImportedFeed, "index" | "shownUrl">> {
  const nothing = { feedId: null, sourceId: null };
  if (verdict.status === "invalid") return { outcome: "invalid", reason: verdict.reason, ...nothing };
  if (verdict.status === "duplicate") {
    const { known, reason } = verdict;
    return { outcome: "duplicate", reason, feedId: known?.feedId ?? null, sourceId: known?.sourceId ?? null };
  }
  try {
    return await connect(db, caller, wanted, verdict.url);
  } catch (error) {
    if (error instanceof AppError && error.code !== "unavailable") {
      return { outcome: "failed", reason: error.message, ...nothing };
    }
    const unavailable = error instanceof AppError ? error : asUnavailable(error);
    if (unavailable) throw unavailable;
    log.error({ err: error }, "opml: a feed could not be imported");
    return { outcome: "failed", reason: "Something went wrong with this one.", ...nothing };
  }
}

async function connect(db: Db, caller: Caller, { title, groups }: Wanted, url: string) {
  const name = clean(title, 200) ?? new URL(url).host;
  const folders = (groups ?? []).flatMap((group) => clean(group, 200) ?? []);
  const { source, created } = await createSource(db, caller, {
    type: "rss",
    key: `opml-${sha256(foldAddress(url)).toString("hex").slice(0, 32)}`,
    name,
    feeds: [
      {
        externalKey: url,
        ...(folders.length > 0 && { config: { group: folders.join(" / "), groups: folders } }),
      },
    ],
  });
  const feedId = source.feeds[0]?.id ?? null;
  return created
    ? { outcome: "created" as const, reason: null, feedId, sourceId: source.id }
    : {
        outcome: "duplicate" as const,
        reason: `Already here as "${source.name}".`,
        feedId,
        sourceId: source.id,
      };
}
