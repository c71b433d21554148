import type { TidemarkError } from "../errors.ts";
import { requireRetryable, retryDelayMs } from "./backoff.ts";
import type { Clock } from "./clock.ts";

/** About a minute and a half of trying, unless the server asks for more. */
const MAX_ATTEMPTS = 10;

export type Retry = { error: TidemarkError; attempt: number; delayMs: number };

/**
 * Sends until there is an answer.
 *
 * @throws TidemarkError The last one, after ten attempts or at once where trying again cannot help; the
 *   signal's reason.
 */
export async function retryRequest<T>(
  send: () => Promise<T>,
  clock: Clock,
  signal: AbortSignal | undefined,
  onRetry: (retry: Retry) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = requireRetryable(thrown);
      if (attempt === MAX_ATTEMPTS) throw error;
      const delayMs = retryDelayMs(attempt, error.retryAfterMs, clock.random());
      onRetry({ error, attempt, delayMs });
      await clock.pause(delayMs, signal);
    }
  }
}
