import { type GuardedFetch, type GuardedResponse, UpstreamError } from "@/sdk/adapter";
import { sampleOf } from "../http-secrets";
import { parseFeed } from "./parse-feed";
import { FeedUnreadable, type ParsedFeed } from "./parsed-feed";

const ACCEPT =
  "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, " +
  "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, */*;q=0.1";

export function requestFeed(
  ctx: { fetch: GuardedFetch; signal: AbortSignal },
  url: string,
  headers: Record<string, string> = {},
): Promise<GuardedResponse> {
  return ctx.fetch(url, { headers: { accept: ACCEPT, ...headers }, signal: ctx.signal });
}

/**
 * Parses an answer that has passed its status check.
 *
 * @throws UpstreamError not_a_feed or malformed, in words, with the beginning of the answer. Both
 *   are worth another try: sign-in pages and broken exports come and go.
 */
export function parseResponse(response: GuardedResponse): ParsedFeed {
  try {
    return parseFeed(response.body, response.headers["content-type"], response.url);
  } catch (error) {
    if (!(error instanceof FeedUnreadable)) throw error;
    throw new UpstreamError(
      error.code,
      `The answer of ${new URL(response.url).host} ${error.message}`,
      {
        retryable: true,
        status: response.status,
        ...(response.body.length > 0 ? { detail: sampleOf(response) } : {}),
      },
      { cause: error },
    );
  }
}

/**
 * An address found through another one, with that one's user name and password when both belong to
 * the same origin: without them the new address would not answer.
 */
export function keepUserinfo(found: string, asked: string): string {
  const [to, from] = [new URL(found), new URL(asked)];
  if (to.origin !== from.origin || from.username + from.password === "") return found;
  to.username = from.username;
  to.password = from.password;
  return to.href;
}
