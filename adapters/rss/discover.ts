import {
  type DiscoverContext,
  type DiscoveredFeed,
  type GuardedResponse,
  UpstreamError,
  type UpstreamErrorCode,
} from "@/sdk/adapter";
import { throwForStatus } from "../http-status";
import type { RssConfig } from "./config";
import { decodeText } from "./decode-text";
import { findFeedLinks } from "./find-feed-links";
import type { ParsedFeed } from "./parsed-feed";
import { keepUserinfo, parseResponse, requestFeed } from "./request";

type Context = DiscoverContext<RssConfig>;

/** Where feeds are when a site forgets to say so. */
const PROBES = ["feed", "rss", "feed.xml", "rss.xml", "atom.xml", "index.xml", "feed.json"];

/** The address itself is no feed, but one may be near it. */
const MAY_BE_ELSEWHERE = new Set<UpstreamErrorCode>(["not_a_feed", "not_found", "forbidden", "gone"]);

/** Nothing answered under this scheme. */
const UNREACHABLE = new Set<UpstreamErrorCode>(["unavailable", "too_slow", "protocol"]);

/** The site does not answer, or asks to be left alone. */
const NO_ANSWER = new Set<UpstreamErrorCode>(["unavailable", "too_slow", "rate_limited"]);

/** More than a site ever announces in earnest. */
const MAX_LINKS = 10;

/**
 * Finds the feeds behind what a person typed: the address itself when it is a feed, else what the
 * page announces, else the usual places.
 *
 * @throws UpstreamError with what went wrong, `not_a_feed` when the site has none.
 */
export async function discoverFeeds(ctx: Context): Promise<DiscoveredFeed[]> {
  const { address, response } = await openFirst(ctx, addressesOf(ctx.input));
  const direct = tryFeed(response, ctx.now());
  if (direct.feed) return [toDiscovered(direct.feed, address, response)];
  // A password is asked for, or the site is busy: looking elsewhere would only hide that.
  if (!MAY_BE_ELSEWHERE.has(direct.error.code)) throw direct.error;

  const announced = direct.error.code === "not_a_feed" ? await readAnnounced(ctx, address, response) : [];
  if (announced.length > 0) return announced;
  const probed = await probe(ctx, address, response.url);
  if (probed) return [probed];
  if (direct.error.code !== "not_a_feed") throw direct.error;
  throw new UpstreamError(
    "not_a_feed",
    `${new URL(response.url).host} was reached, but it announces no feed and has none in the usual places. ` +
      "If you know the feed's own address, enter that.",
    { ...direct.error.info, retryable: false },
    { cause: direct.error },
  );
}

/** Typed text → addresses to try in order. Without a scheme, https comes first. */
function addressesOf(input: string | null): string[] {
  const text = (input ?? "")
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/i, "")
    .replace(/^feed:(?:\/\/)?/i, "");
  if (text === "") {
    throw new UpstreamError("invalid_url", "Enter the address of a site or a feed.", { retryable: false });
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [text];
  const guesses = ["https", "http"].map((scheme) => `${scheme}://${text.replace(/^\/+/, "")}`);
  return guesses.every((guess) => URL.canParse(guess)) ? guesses : [text]; // the fetch says what is wrong
}

/** The first address that answers at all; the first one's failure is what is reported. */
async function openFirst(
  ctx: Context,
  addresses: string[],
): Promise<{ address: string; response: GuardedResponse }> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return { address, response: await requestFeed(ctx, address) };
    } catch (error) {
      failure ??= error;
      if (!(error instanceof UpstreamError && UNREACHABLE.has(error.code))) throw error;
    }
  }
  throw failure;
}

function readFeed(response: GuardedResponse, now: Date): ParsedFeed {
  throwForStatus(response, now);
  return parseResponse(response);
}

type Tried = { feed: ParsedFeed; error?: undefined } | { feed?: undefined; error: UpstreamError };

function tryFeed(response: GuardedResponse, now: Date): Tried {
  try {
    return { feed: readFeed(response, now) };
  } catch (error) {
    if (error instanceof UpstreamError) return { error };
    throw error;
  }
}

async function readAnnounced(
  ctx: Context,
  address: string,
  page: GuardedResponse,
): Promise<DiscoveredFeed[]> {
  const { text } = decodeText(page.body, page.headers["content-type"]);
  const found = new Map<string, DiscoveredFeed>();
  for (const link of findFeedLinks(text, page.url).slice(0, MAX_LINKS)) {
    const feed = await read(ctx, keepUserinfo(link.url, address), link.title);
    if (feed && !found.has(feed.answeredBy)) found.set(feed.answeredBy, feed.discovered);
  }
  return [...found.values()];
}

/** The usual places beside the page, then at the site's root; the first that is a feed. */
async function probe(ctx: Context, address: string, pageUrl: string): Promise<DiscoveredFeed | null> {
  const page = new URL(pageUrl);
  const beside = new URL(page.pathname.endsWith("/") ? "." : `${page.pathname.split("/").at(-1)}/`, page)
    .href;
  const places = [...new Set([beside, `${page.origin}/`])].flatMap((root) =>
    PROBES.map((name) => root + name),
  );
  for (const place of places) {
    const feed = await read(ctx, keepUserinfo(place, address), undefined, (error) => {
      // Fourteen time-outs in a row help nobody.
      if (NO_ANSWER.has(error.code)) places.length = 0;
    });
    if (feed) return feed.discovered;
  }
  return null;
}

/** A guess that fails is no news; an abort is. */
async function read(
  ctx: Context,
  url: string,
  linkTitle: string | undefined,
  onFailure?: (error: UpstreamError) => void,
): Promise<{ discovered: DiscoveredFeed; answeredBy: string } | null> {
  ctx.signal.throwIfAborted();
  try {
    const response = await requestFeed(ctx, url);
    const feed = readFeed(response, ctx.now());
    return { discovered: toDiscovered(feed, url, response, linkTitle), answeredBy: response.url };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    onFailure?.(error);
    return null;
  }
}

function toDiscovered(
  feed: ParsedFeed,
  asked: string,
  response: GuardedResponse,
  linkTitle?: string,
): DiscoveredFeed {
  const externalKey = response.movedPermanently ? keepUserinfo(response.url, asked) : new URL(asked).href;
  return {
    externalKey,
    ...(response.movedPermanently ? { movedFrom: new URL(asked).href } : {}),
    name: feed.title || linkTitle || new URL(response.url).host,
    sampleTitles: feed.items.flatMap((item) => item.title ?? []).slice(0, 3),
  };
}
