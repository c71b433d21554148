import { type GuardedResponse, UpstreamError, type UpstreamErrorCode } from "../adapter.ts";
import { readRetryAfter } from "../http/retry-after.ts";
import { maskUrlsInText } from "../mask-url.ts";

/** However far ahead an upstream asks us to wait, a day later we look again. */
const MAX_WAIT_MS = 24 * 3600 * 1000;
/** Enough of a failed answer to see what it was. */
const SAMPLE_BYTES = 2048;

/**
 * Throws the UpstreamError that an HTTP status means for a feed; returns for 2xx.
 * Handle 304, and statuses that mean something else to your upstream, before calling this.
 *
 * 429, and 503 that says when to come back, are `rate_limited` with `retryAt` when it was readable.
 */
export function throwForStatus(response: GuardedResponse, now: Date): void {
  const waitMs = readRetryAfter(response.headers["retry-after"] ?? null, null, now.getTime(), MAX_WAIT_MS);
  const retryAt = waitMs === null ? null : new Date(now.getTime() + waitMs);
  const error = explainStatus(response, { retryAt, sample: takeSample });
  if (error) throw error;
}

/**
 * @param retryAt When the answer asks us to come back; null when it does not say.
 * @param sample The beginning of a body, secrets masked.
 * @returns what the status means; null for 2xx.
 */
export function explainStatus(
  response: GuardedResponse,
  { retryAt, sample }: { retryAt: Date | null; sample: (response: GuardedResponse) => string },
): UpstreamError | null {
  const { status } = response;
  if (status >= 200 && status < 300) return null;
  const limited = status === 429 || (status === 503 && response.headers["retry-after"] && retryAt);
  const meaning = limited ? RATE_LIMITED : meaningOf(status);
  const host = new URL(response.url).host;
  const walled = status === 403 && response.headers["cf-mitigated"] === "challenge";
  return new UpstreamError(meaning.code, `${host} answered ${status}: ${walled ? BOT_WALL : meaning.words}`, {
    retryable: meaning.retryable,
    status,
    ...(limited && retryAt ? { retryAt } : {}),
    ...(response.body.length > 0 ? { detail: sample(response) } : {}),
  });
}

function takeSample({ body }: GuardedResponse): string {
  return maskUrlsInText(new TextDecoder().decode(body.subarray(0, SAMPLE_BYTES)).replaceAll("\0", ""));
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
    words:
      "it asks for a user name and password, or refused the ones given. Enter them, or check what was entered.",
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
