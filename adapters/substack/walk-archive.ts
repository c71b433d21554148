import { type Page, UpstreamError, type UpstreamErrorCode } from "@/sdk/adapter";
import type { ArchivePage } from "./api";
import { type ArchiveWalk, handOver, newProgress, type Progress, TextsWalled } from "./hand-over";
import type { ListedPost } from "./parse";
import { DAY_MS } from "./plan";

/** An incremental walk ends after so many pages in a row that bring nothing unknown. */
const KNOWN_PAGES = 2;

/** So many pages in a row without a post not yet seen in this walk: the upstream ignores the offset. */
const REPEATED_PAGES = 3;

/** Answers that mean: this archive ends here for programs. */
const ENDS = new Set<UpstreamErrorCode>(["forbidden", "not_found", "gone", "not_a_feed", "too_large"]);

/** A walk through known posts commits how far it came once in so many listings. */
const LISTINGS_PER_PAGE = 20;

/**
 * Walks the archive from new to old and hands over posts that are new or look different. The end
 * of the walk, with the cursor, is the last page: a crash repeats listings, never texts that were
 * committed, and leaves no hole.
 *
 * Offsets advance by what was asked for, as pages may be short anywhere; only an empty page ends.
 */
export async function* walkArchive(walk: ArchiveWalk, head: ArchivePage): AsyncGenerator<Page> {
  const { ctx, memory, plan } = walk;
  const step = ctx.config.postsPerRequest;
  const progress = newProgress(walk);
  let posts = head.posts;
  let offset = 0;
  let knownPages = 0;
  let repeatedPages = 0;
  let end: "empty" | "known" | "repeats" | "unreadable";
  for (let listings = 1; ; listings++) {
    if (posts.length === 0) {
      end = "empty";
      break;
    }
    const unseen = posts.filter(({ id }) => !progress.listed.has(id));
    repeatedPages = unseen.length === 0 ? repeatedPages + 1 : 0;
    if (repeatedPages === REPEATED_PAGES) {
      ctx.log.warn(
        "archive_repeats",
        "The archive shows the same posts again and again; the rest was not read.",
      );
      end = "repeats";
      break;
    }
    // Never back: until it is caught up with, an earlier try came further.
    memory.walk = { offset: Math.max(offset, plan.resumeAt), first: plan.first, full: plan.full };
    knownPages = (yield* handOver(walk, progress, head.origin, unseen)) ? 0 : knownPages + 1;

    const isCaughtUp = knownPages >= KNOWN_PAGES;
    if (isCaughtUp && !plan.full && offset >= plan.resumeAt) {
      end = "known";
      break;
    }
    if (listings % LISTINGS_PER_PAGE === 0) yield { documents: [], state: memory.write() };
    offset += step;
    if (isCaughtUp && plan.resumeAt - step > offset) {
      // What lies between was dealt with by the walk that stopped there; one page more, as posts shift.
      offset = plan.resumeAt - step;
      knownPages = 0;
    }
    const page = await listOlder(walk, head.origin, offset);
    if (!page) {
      end = "unreadable";
      break;
    }
    posts = page;
  }
  if (progress.texts === 0 && progress.walled) throw new TextsWalled(progress.walled);

  const isComplete = end === "empty" && plan.fresh && (yield* confirm(walk, progress, head.origin));
  // Where it was cut off the next sync goes on, by then with a position.
  memory.walk = end === "unreadable" && memory.walk ? { ...memory.walk, first: false } : null;
  if (plan.full && end !== "unreadable") {
    // Texts that could not be read are tried again tomorrow, wherever in the archive they are.
    const early = progress.unread > 0 ? (ctx.config.fullWalkDays - 1) * DAY_MS : 0;
    memory.fullWalkAt = new Date(ctx.now().getTime() - early);
  }
  memory.undated = progress.listed.size > 0 && !progress.hasDates;
  yield {
    documents: [],
    ...progress.cursor(),
    state: memory.write(),
    ...(isComplete ? { complete: true } : {}),
  };
}

/** @returns null when older pages are closed to programs; the first page was read, so the feed goes on. */
async function listOlder(
  { ctx, api }: ArchiveWalk,
  origin: string,
  offset: number,
): Promise<ListedPost[] | null> {
  try {
    return (await api.listPosts(origin, offset)).posts;
  } catch (error) {
    if (!(error instanceof UpstreamError) || !ENDS.has(error.code)) throw error;
    ctx.log.warn("archive_unreadable", `Older posts could not be listed. ${error.message}`);
    return null;
  }
}

/**
 * Lists the archive once more, quickly, after everything was handed over. A post unpublished during
 * the long first pass moves the others up, and one of them out of sight; to call that listing
 * complete would delete it.
 *
 * @returns true when this run handed over every post there is.
 */
async function* confirm(
  walk: ArchiveWalk,
  progress: Progress,
  origin: string,
): AsyncGenerator<Page, boolean> {
  if ([...progress.listed].some((id) => !progress.sent.has(id))) return false;
  const before = progress.listed.size;
  for (let offset = 0; ; offset += walk.ctx.config.postsPerRequest) {
    const posts = await listOlder(walk, origin, offset);
    if (!posts) return false;
    if (posts.length === 0) return progress.listed.size === before;
    const missed = posts.filter(({ id }) => !progress.listed.has(id));
    yield* handOver(walk, progress, origin, missed);
  }
}
