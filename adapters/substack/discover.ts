import {
  type ConnectionCheck,
  type DiscoverContext,
  type DiscoveredFeed,
  type SyncContext,
  UpstreamError,
  type UpstreamErrorCode,
} from "@/sdk/adapter";
import { publicationOrigin, typedOrigins } from "./addresses";
import { type Api, type ArchivePage, createApi, findArchive, isMiss, type Wait } from "./api";
import type { SubstackConfig } from "./config";
import { findFeed } from "./read-feed-instead";
import { decideOutcome } from "./to-document";

/** Nothing answered under this scheme: the next may. */
const UNREACHABLE = new Set<UpstreamErrorCode>(["unavailable", "too_slow", "protocol"]);

/**
 * The publication behind an address, a post's address or a name. Its key is the origin that answers.
 *
 * @throws UpstreamError; `not_a_feed` when there is no Substack publication.
 */
export async function discoverPublication(
  ctx: DiscoverContext<SubstackConfig>,
  wait: Wait,
): Promise<DiscoveredFeed[]> {
  let failure: unknown;
  for (const origin of typedOrigins(ctx.input)) {
    try {
      return [await discoverAt(ctx, origin, wait)];
    } catch (error) {
      failure ??= error;
      if (!(error instanceof UpstreamError && UNREACHABLE.has(error.code))) throw error;
    }
  }
  throw failure;
}

async function discoverAt(
  ctx: DiscoverContext<SubstackConfig>,
  home: string,
  wait: Wait,
): Promise<DiscoveredFeed> {
  const api = createApi(ctx, home, wait);
  const seen = await look(api, home, ctx.now());
  return {
    externalKey: seen.origin,
    name: seen.title ?? new URL(seen.origin).host,
    ...(seen.archive
      ? {}
      : { description: "Its archive is closed to programs; only the newest posts can be read." }),
    sampleTitles: seen.titles.slice(0, 3),
  };
}

/** Asked before a source is saved: can it be read, and does the cookie open paid posts? */
export async function checkPublication(
  ctx: Omit<SyncContext<SubstackConfig>, "cursor">,
  wait: Wait,
): Promise<ConnectionCheck> {
  const home = publicationOrigin(ctx.feed.url);
  const api = createApi(ctx, home, wait);
  const seen = await look(api, home, ctx.now());
  const name = seen.title ? `“${seen.title}”` : "The publication";
  const words = seen.archive
    ? `${name} can be read, with its whole archive.`
    : `${name} can be read through its RSS feed only: the newest posts. ${seen.failure?.message ?? ""}`.trim();
  const paid = seen.archive ? await checkPaid(ctx, api, seen.archive) : null;
  return {
    ok: true,
    message: paid ? `${words} ${paid}` : words,
    ...(seen.title ? { feedTitle: seen.title } : {}),
    finalUrl: seen.origin,
  };
}

type Seen = {
  origin: string;
  title: string | undefined;
  titles: string[];
  archive: ArchivePage | null;
  /** Why there is no archive. */
  failure?: UpstreamError;
};

/** The archive for its posts and the RSS feed for the name; one of them is enough. */
async function look(api: Api, home: string, now: Date): Promise<Seen> {
  try {
    const archive = await findArchive(api, home, null);
    const named = await findFeed(api, archive.origin, now).catch((error: unknown) => {
      if (isMiss(error)) return null;
      throw error;
    });
    const titles = archive.posts.flatMap(({ title }) => title ?? []);
    return { origin: archive.origin, title: named?.feed.title, titles, archive };
  } catch (error) {
    if (!(error instanceof UpstreamError) || !isMiss(error)) throw error;
    return lookAtFeed(api, home, now, error);
  }
}

async function lookAtFeed(api: Api, home: string, now: Date, failure: UpstreamError): Promise<Seen> {
  const { feed, response } = await findFeed(api, home, now).catch((error: unknown) => {
    if (!isMiss(error)) throw error;
    throw isNothing(failure) ? notSubstack(home, failure) : failure;
  });
  // Any blog has a feed; a Substack's names it as its generator and serves pictures from it.
  if (!Buffer.from(response.body).includes("substack")) {
    throw notSubstack(home, failure, " It has a feed, though: connect it as a website or feed.");
  }
  const { origin } = new URL(response.url);
  const titles = feed.items.flatMap(({ title }) => title ?? []);
  return { origin, title: feed.title, titles, archive: null, failure };
}

/** Answered, but with nothing that a Substack publication has. */
function isNothing({ code }: UpstreamError): boolean {
  return code === "not_found" || code === "gone" || code === "not_a_feed";
}

function notSubstack(home: string, cause: UpstreamError, advice = ""): UpstreamError {
  return new UpstreamError(
    "not_a_feed",
    `${new URL(home).host} is not a Substack publication, or it has moved.${advice}`,
    { ...cause.info, retryable: false },
    { cause },
  );
}

async function checkPaid(
  ctx: Omit<SyncContext<SubstackConfig>, "cursor">,
  api: Api,
  { posts, origin }: ArchivePage,
): Promise<string | null> {
  const paid = posts.find(({ audience }) => audience !== undefined && audience !== "everyone");
  if (ctx.credentials.type !== "bearer") {
    return paid ? "Of paid posts only the beginning can be read without a reader's cookie." : null;
  }
  if (!api.sendsCookieTo(origin)) {
    return `It answers at ${origin}: connect it under that address, as the reader's cookie is sent nowhere else.`;
  }
  if (!paid) return null;
  const text = await api.readText(origin, paid);
  if (!text || !decideOutcome(paid, text.html, undefined, false).teaser) return null;
  return text.html === null
    ? "The reader's cookie opens no paid posts; it may have expired."
    : "Whether the reader's cookie opens the whole of paid posts could not be told.";
}
