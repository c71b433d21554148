import {
  type AdapterDocument,
  type Page,
  type SyncContext,
  UpstreamError,
  type UpstreamErrorCode,
} from "@/sdk/adapter";
import { toTombstone } from "../rss/to-document";
import type { Api } from "./api";
import type { SubstackConfig } from "./config";
import { type Memory, slugMark } from "./memory";
import type { ListedPost } from "./parse";
import type { Plan } from "./plan";
import { decideOutcome } from "./to-document";

/** Texts are paced; so many, some ten seconds' worth, are committed together. */
const TEXTS_PER_PAGE = 10;

/** One text that cannot be read is left for the next sync; so many in a row are an outage. */
const MAX_FAILURES = 3;

/** Answers of a wall against programs. When no text at all can be read, the RSS feed may have it. */
const WALLED = new Set<UpstreamErrorCode>(["forbidden", "not_a_feed"]);

/** Failures of one text that need say nothing about the next. */
const ONE_TEXT = new Set<UpstreamErrorCode>([...WALLED, "unavailable", "too_slow", "too_large", "protocol"]);

export type ArchiveWalk = {
  ctx: SyncContext<SubstackConfig>;
  api: Api;
  memory: Memory;
  plan: Plan;
};

/** What one walk has done so far. */
export type Progress = {
  /** Ids seen in this walk. */
  listed: Set<string>;
  /** Ids handed over in this walk. */
  sent: Set<string>;
  hasDates: boolean;
  note(post: ListedPost): void;
  /** The newest date noted, when that is progress. */
  cursor(): Pick<Page, "cursor">;
  /** Texts read. */
  texts: number;
  /** Texts in a row that could not be read. */
  failures: number;
  /** Texts that could not be read. */
  unread: number;
  /** The last answer of a wall against programs. */
  walled: UpstreamError | null;
  /** Posts not handed over because something fuller was. */
  withheld: number;
};

export function newProgress({ ctx }: ArchiveWalk): Progress {
  const now = ctx.now().getTime();
  const before = ctx.cursor.type === "date" ? Date.parse(ctx.cursor.value) : Number.NEGATIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  return {
    listed: new Set(),
    sent: new Set(),
    hasDates: false,
    texts: 0,
    failures: 0,
    unread: 0,
    walled: null,
    withheld: 0,
    note(post) {
      if (!post.date) return;
      this.hasDates = true;
      // A post dated ahead must not carry the position with it.
      newest = Math.max(newest, Math.min(post.date.getTime(), now));
    },
    cursor: () =>
      newest > before ? { cursor: { type: "date", value: new Date(newest).toISOString() } } : {},
  };
}

/**
 * Reads the texts of a page's posts that are new or changed, and yields them in small pages.
 *
 * @returns false when everything was known.
 */
export async function* handOver(
  walk: ArchiveWalk,
  progress: Progress,
  origin: string,
  posts: ListedPost[],
): AsyncGenerator<Page, boolean> {
  const { ctx, memory } = walk;
  let documents: AdapterDocument[] = [];
  let texts = 0;
  let hasNews = false;
  const flush = (): Page => {
    const page = { documents, state: memory.write() };
    documents = [];
    texts = 0;
    return page;
  };
  for (const post of posts) {
    if (progress.listed.has(post.id)) continue;
    progress.listed.add(post.id);
    progress.note(post);
    if (!isKnown(walk, post)) {
      hasNews = true;
      texts++;
      try {
        const document = await readDocument(walk, progress, origin, post);
        if (document) documents.push(document);
      } catch (error) {
        // What was read before a rate limit stays read: otherwise a strict one would never be passed.
        if (documents.length > 0) yield flush();
        throw error;
      }
    }
    const standIn = memory.posts.has(post.id) ? memory.provisional.get(slugMark(post.slug)) : undefined;
    if (standIn !== undefined) {
      memory.provisional.delete(slugMark(post.slug));
      documents.push(toTombstone(standIn));
    }
    if (texts >= TEXTS_PER_PAGE) yield flush();
  }
  if (documents.length > 0 || texts > 0) yield flush();
  if (progress.withheld > 0) {
    ctx.log.warn(
      "teaser_withheld",
      `${progress.withheld} changed posts can now be read in part only; their fuller texts were kept as they are.`,
    );
    progress.withheld = 0;
  }
  return hasNews;
}

function isKnown({ ctx, memory }: ArchiveWalk, post: ListedPost): boolean {
  const known = memory.posts.get(post.id);
  if (known) return known.fingerprint === post.fingerprint;
  // Old posts of a very long archive; a draft that waited for years has a newer date.
  return memory.mayHaveForgotten(post.id) && isDatedBefore(ctx, post);
}

function isDatedBefore({ cursor }: ArchiveWalk["ctx"], post: ListedPost): boolean {
  return cursor.type === "date" && post.date !== undefined && post.date.getTime() <= Date.parse(cursor.value);
}

/** @returns null when there is nothing to hand over: it is gone, unreadable just now, or less than before. */
async function readDocument(
  { ctx, api, memory }: ArchiveWalk,
  progress: Progress,
  origin: string,
  post: ListedPost,
): Promise<AdapterDocument | null> {
  let text: { html: string | null } | null;
  try {
    text = await api.readText(origin, post);
    progress.failures = 0;
    progress.texts++;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const isPaid = post.audience !== undefined && post.audience !== "everyone";
    if (isPaid && error.code === "forbidden") text = { html: null };
    else {
      if (WALLED.has(error.code)) progress.walled = error;
      else if (!ONE_TEXT.has(error.code)) throw error;
      if (++progress.failures >= MAX_FAILURES) {
        throw progress.texts === 0 && progress.walled ? new TextsWalled(progress.walled) : error;
      }
      progress.unread++;
      ctx.log.warn("post_unreadable", `“${post.title ?? post.slug}” could not be read. ${error.message}`);
      return null;
    }
  }
  if (!text) return null;

  const known = memory.posts.get(post.id);
  // Without any memory but with a position, what is older than that was handed over once.
  const maybeKnown =
    !known && (memory.mayHaveForgotten(post.id) || (ctx.feed.state === null && isDatedBefore(ctx, post)));
  const { document, length, teaser } = decideOutcome(post, text.html, known, maybeKnown);
  memory.posts.set(post.id, { fingerprint: post.fingerprint, slug: slugMark(post.slug), length, teaser });
  if (document) progress.sent.add(post.id);
  else progress.withheld++;
  return document;
}

/** The archive can be listed, but not one of its texts be read: they are kept from programs. */
export class TextsWalled extends Error {
  override readonly name = "TextsWalled";
  constructor(override readonly cause: UpstreamError) {
    super(cause.message);
  }
}
