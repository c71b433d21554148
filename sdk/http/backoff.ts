import { TidemarkError } from "../errors.ts";

const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/**
 * How long to wait before trying again: exponential with full jitter, so that clients that were cut off
 * together do not come back together. The server's own wish is a lower bound, with the jitter on top.
 *
 * @param attempt Failures in a row, from 1 on.
 * @param random 0 ≤ x < 1.
 * @returns milliseconds.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | null, random: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round((retryAfterMs ?? 0) + random * ceiling);
}

/** A failure that may pass by itself. Anything else is thrown on as it is. */
export function requireRetryable(error: unknown): TidemarkError {
  if (error instanceof TidemarkError && error.retryable) return error;
  throw error;
}
