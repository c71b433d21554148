import { type GuardedResponse, UpstreamError, type UpstreamErrorCode } from "@/sdk/adapter";
import { sampleOf } from "./http-secrets";
import { parseResetHeader, parseRetryAfter } from "./retry-after";

/**
 * Throws the UpstreamError that an HTTP status means for a feed; returns for 2xx.
 * Handle 304, and statuses that mean something else to your upstream, before calling this.
 *
 * 429, and 503 that says when to come back, are `rate_limited` with `retryAt` when it was readable.
 */
export function throwForStatus(response: GuardedResponse, now: Date): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  const retryAt =
    parseRetryAfter(response.headers["retry-after"], now) ??
    parseResetHeader(response.headers["x-rate-limit-reset"] ?? response.headers["x-ratelimit-reset"], now);
  const limited = status === 429 || (status === 503 && response.headers["retry-after"] && retryAt);
  const meaning = limited ? RATE_LIMITED : meaningOf(status);
  const host = new URL(response.url).host;
  const walled = status === 403 && response.headers["cf-mitigated"] === "challenge";
  throw new UpstreamError(meaning.code, `${host} answered ${status}: ${walled ? BOT_WALL : meaning.words}`, {
    retryable: meaning.retryable,
    status,
    ...(limited && retryAt ? { retryAt } : {}),
    ...(response.body.length > 0 ? { detail: sampleOf(response) } : {}),
  });
}

type Meaning = { code: UpstreamErrorCode; retryable: boolean; words: string };

const RATE_LIMITED: Meaning = {
  code: "rate_limited",
  retryable: true,
  words: "it asks to be read less often. Syncing goes on by itself after the wait.",
};

const BOT_WALL =
  "it shows a challenge meant to keep programs out. Ask the publisher to let feed readers through, or use another address of this feed.";

const MEANINGS: Record<number, Meaning> = {
  401: {
    code: "unauthorized",
    retryable: false,
    words: "it asks for a user name and password, or refused the ones given. Reconnect this source.",
  },
  402: { code: "forbidden", retryable: false, words: "it asks for payment." },
  403: {
    code: "forbidden",
    retryable: false,
    words: "it refuses access. The feed may need a subscription, or the publisher keeps programs out.",
  },
  404: {
    code: "not_found",
    retryable: true,
    words:
      "there is nothing at this address. This is often temporary; if it stays, look for the feed's new address.",
  },
  408: { code: "unavailable", retryable: true, words: "it gave up waiting. It will be tried again." },
  410: {
    code: "gone",
    retryable: false,
    words: "the publisher says this feed is gone for good. Documents already here stay.",
  },
  425: { code: "unavailable", retryable: true, words: "it is not ready yet. It will be tried again." },
  451: { code: "forbidden", retryable: false, words: "it is withheld for legal reasons." },
};

function meaningOf(status: number): Meaning {
  const known = MEANINGS[status];
  if (known) return known;
  if (status >= 500) {
    return {
      code: "unavailable",
      retryable: true,
      words: "the server there has a problem. It will be tried again.",
    };
  }
  return { code: "protocol", retryable: false, words: "this is not an answer a feed should give." };
}
