import type { GuardedResponse } from "@/sdk/adapter";
import { explainStatus } from "@/sdk/run/throw-for-status";
import { sampleOf } from "./http-secrets";
import { parseResetHeader, parseRetryAfter } from "./retry-after";

/**
 * Throws the UpstreamError that an HTTP status means for a feed; returns for 2xx.
 * Handle 304, and statuses that mean something else to your upstream, before calling this.
 *
 * 429, and 503 that says when to come back, are `rate_limited` with `retryAt` when it was readable.
 * The same as the package's own, but reads dates as servers in the wild write them.
 */
export function throwForStatus(response: GuardedResponse, now: Date): void {
  const retryAt =
    parseRetryAfter(response.headers["retry-after"], now) ??
    parseResetHeader(response.headers["x-rate-limit-reset"] ?? response.headers["x-ratelimit-reset"], now);
  const error = explainStatus(response, { retryAt, sample: sampleOf });
  if (error) throw error;
}
