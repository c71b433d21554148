import { type SyncContext, UpstreamError, type UpstreamErrorCode } from "@/sdk/adapter";
import { throwForStatus } from "../http-status";
import type { RssConfig } from "./config";
import type { ParsedFeed } from "./parsed-feed";
import { keepUserinfo, parseResponse, requestFeed } from "./request";

/** Failures that will be the same next time: the archive ends there. */
const PERMANENT = new Set<UpstreamErrorCode>([
  "not_found",
  "gone",
  "forbidden",
  "unauthorized",
  "not_a_feed",
  "malformed",
  "too_large",
  "blocked_address",
  "too_many_redirects",
  "invalid_url",
  "protocol",
]);

/** So often a passing failure may restart the first sync before the archive is given up. */
const MAX_ATTEMPTS = 3;

/**
 * Follows a feed's links to older pages: within its own host, each address once, at most
 * `archivePages` of them.
 *
 * An archive that cannot be read ends the walk with a warning, as the feed itself is fine. A
 * passing failure is thrown, so that the next run tries again; after three runs it ends the walk too.
 */
export async function* walkArchive(
  ctx: SyncContext<RssConfig>,
  from: { start: string; headUrl: string; attempts: number },
): AsyncGenerator<ParsedFeed> {
  const visited = new Set([withoutHash(ctx.feed.url), withoutHash(from.headUrl)]);
  let next: string | undefined = from.start;
  for (let pages = 0; next !== undefined; pages++) {
    const address = onSameHost(next, from.headUrl);
    if (!address) {
      ctx.log.warn("archive_elsewhere", "The feed's older entries are on another host and were not read.");
      return;
    }
    if (visited.has(withoutHash(address))) return;
    visited.add(withoutHash(address));
    if (pages >= ctx.config.archivePages) {
      ctx.log.warn(
        "archive_cut",
        `The feed has more than ${ctx.config.archivePages} older pages; the rest was not read.`,
      );
      return;
    }
    ctx.signal.throwIfAborted();
    const page = await readArchivePage(ctx, keepUserinfo(address, ctx.feed.url), from.attempts);
    if (!page) return;
    yield page;
    next = page.older;
  }
}

async function readArchivePage(
  ctx: SyncContext<RssConfig>,
  address: string,
  attempts: number,
): Promise<ParsedFeed | null> {
  try {
    const response = await requestFeed(ctx, address);
    throwForStatus(response, ctx.now());
    return parseResponse(response);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (!PERMANENT.has(error.code) && attempts < MAX_ATTEMPTS) throw error;
    ctx.log.warn("archive_unreadable", `Older entries could not be read. ${error.message}`);
    return null;
  }
}

/** Follow-up addresses come from the feed's text and must not lead elsewhere; http is lifted to https. */
function onSameHost(address: string, headUrl: string): string | null {
  const [next, head] = [new URL(address), new URL(headUrl)];
  if (next.hostname !== head.hostname) return null;
  if (next.protocol === "http:" && head.protocol === "https:" && next.port === "") next.protocol = "https:";
  return next.origin === head.origin ? next.href : null;
}

function withoutHash(address: string): string {
  const url = new URL(address);
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}
