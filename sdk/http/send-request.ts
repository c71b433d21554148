import { TidemarkError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { describeAnswer } from "./describe-answer.ts";

/** For the answer to begin, and then between any two pieces of it. */
const PATIENCE_MS = 30_000;

export type RequestOptions = {
  method?: "GET" | "POST";
  /** JSON, already written. */
  body?: string;
  signal?: AbortSignal | undefined;
  /** How long the server may hold the request, in milliseconds, beyond what any request may take. */
  holdMs?: number;
};

/**
 * Sends one request and reads its whole answer, once.
 *
 * @param path from `/api/v1` on.
 * @returns the parsed JSON.
 * @throws TidemarkError for every other answer, `network_error` when there was none; the signal's reason
 *   when it is aborted, at once.
 */
export async function sendRequest(
  connection: Connection,
  path: string,
  { method = "GET", body, signal, holdMs = 0 }: RequestOptions = {},
): Promise<unknown> {
  signal?.throwIfAborted();
  // One controller per request and no AbortSignal.any: in Node 20 that keeps what it made alive as long
  // as the caller's signal.
  const ending = new AbortController();
  const abort = () => ending.abort();
  signal?.addEventListener("abort", abort, { once: true });
  const watchdog = new Watchdog(abort);
  try {
    watchdog.feed(PATIENCE_MS + holdMs);
    const response = await connection.fetch(connection.apiUrl + path, {
      method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${connection.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
      signal: ending.signal,
      cache: "no-store",
      credentials: "omit",
      // Followed, a POST would arrive as a GET, and without its token on another host.
      redirect: "manual",
    });
    const text = await readText(response, () => watchdog.feed(PATIENCE_MS));
    return describeAnswer(response, text);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TidemarkError) throw error;
    throw lost(connection.apiUrl, error, watchdog.hasBarked);
  } finally {
    watchdog.stop();
    signal?.removeEventListener("abort", abort);
  }
}

/** A time limit that begins anew whenever something happens. */
class Watchdog {
  hasBarked = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  constructor(readonly bark: () => void) {}

  feed(patienceMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.hasBarked = true;
      this.bark();
    }, patienceMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** `response.text()`, told of each piece: a big page may take long, as long as it keeps coming. */
async function readText(response: Response, onPiece: () => void): Promise<string> {
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    onPiece();
    text += decoder.decode(value, { stream: true });
  }
}

function lost(apiUrl: string, error: unknown, isTimeout: boolean): TidemarkError {
  // undici's "fetch failed" says nothing; its cause names the address and the reason.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = isTimeout
    ? "the server took too long"
    : cause instanceof Error && cause.message
      ? cause.message
      : String(cause);
  return new TidemarkError(
    "network_error",
    `No whole answer came from ${new URL(apiUrl).origin}: ${reason}.`,
    { retryable: true },
    { cause: error },
  );
}
