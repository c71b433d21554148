import type { JsonObject, WatermarkType } from "../adapter.ts";
import { TidemarkError } from "../errors.ts";
import type { Clock } from "../http/clock.ts";
import type { Connection } from "../http/connection.ts";
import { isRecord } from "../http/describe-answer.ts";
import { type Retry, retryRequest } from "../http/retry-request.ts";
import { sendRequest } from "../http/send-request.ts";
import type { Warning } from "../wire.ts";
import type { RunError } from "./options.ts";

export type FeedFacts = {
  sourceId: string;
  externalKey: string;
  name: string | null;
  config: JsonObject;
  watermark: WatermarkType | null;
  cursor: string | null;
};

export type RunEnd = {
  status: "succeeded" | "partial" | "failed" | "cancelled";
  error?: RunError;
  complete?: boolean;
  warnings: Warning[];
  retryAt?: string;
};

/** The calls that a run makes besides pushing. Each is tried again where that may help. */
export class RunApi {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #onRetry: (retry: Retry) => void;

  constructor(connection: Connection, clock: Clock, onRetry: (retry: Retry) => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#onRetry = onRetry;
  }

  async readFeed(feedId: string, signal: AbortSignal | undefined): Promise<FeedFacts> {
    const { answer } = await this.#call(`/feeds/${encodeURIComponent(feedId)}`, undefined, signal);
    return {
      sourceId: text(answer.sourceId),
      externalKey: text(answer.externalKey),
      name: textOrNull(answer.name),
      config: (isRecord(answer.config) ? answer.config : {}) as JsonObject,
      watermark: textOrNull(answer.watermark) as WatermarkType | null,
      cursor: textOrNull(answer.cursor),
    };
  }

  async readConfig(sourceId: string, signal: AbortSignal | undefined): Promise<JsonObject> {
    const { answer } = await this.#call(`/sources/${encodeURIComponent(sourceId)}`, undefined, signal);
    return (isRecord(answer.config) ? answer.config : {}) as JsonObject;
  }

  /** @throws TidemarkError run_active: another run is in progress, or one that died is not yet given up. */
  async start(
    feedId: string,
    body: { trigger?: string; listing?: boolean },
    signal: AbortSignal | undefined,
  ): Promise<{ runId: string; cursor: string | null; leaseExpiresAt: string }> {
    const { answer } = await this.#call(`/feeds/${encodeURIComponent(feedId)}/runs`, body, signal);
    return {
      runId: text(answer.runId),
      cursor: textOrNull(answer.cursor),
      leaseExpiresAt: text(answer.leaseExpiresAt),
    };
  }

  /** Once: the next beat is the second try. */
  async heartbeat(runId: string): Promise<void> {
    await sendRequest(this.#connection, `/runs/${encodeURIComponent(runId)}/heartbeat`, {
      method: "POST",
      body: "{}",
    });
  }

  /** @returns the cursor to send as `cursorBefore` from now on. */
  async restart(run: { runId: string; feedId: string }, reason: string, signal: AbortSignal) {
    try {
      const { answer } = await this.#call(
        `/runs/${encodeURIComponent(run.runId)}/restart`,
        { reason },
        signal,
      );
      return textOrNull(answer.cursor);
    } catch (error) {
      // Its first answer was lost: the run has restarted, and this is its cursor.
      if (wasRepeated(error) && error.code === "conflict")
        return (await this.readFeed(run.feedId, signal)).cursor;
      throw error;
    }
  }

  async finish(runId: string, end: RunEnd, signal?: AbortSignal): Promise<void> {
    const path = `/runs/${encodeURIComponent(runId)}`;
    try {
      await this.#call(`${path}/finish`, end, signal);
    } catch (error) {
      // Perhaps it was we who ended it, and only the answer was lost.
      if (!wasRepeated(error) || error.code !== "run_fenced") throw error;
      const { answer } = await this.#call(path, undefined, signal).catch(() => ({ answer: {} }) as Answered);
      if (answer.status !== end.status) throw error;
    }
  }

  async #call(path: string, body: object | undefined, signal: AbortSignal | undefined): Promise<Answered> {
    let repeated = false;
    const send = () =>
      sendRequest(this.#connection, path, {
        ...(body && { method: "POST" as const, body: JSON.stringify(body) }),
        signal,
      });
    try {
      const answer = await retryRequest(send, this.#clock, signal, (retry) => {
        repeated = true;
        this.#onRetry(retry);
      });
      if (isRecord(answer)) return { answer };
      throw unexpected();
    } catch (error) {
      if (repeated && error instanceof TidemarkError) repeatedErrors.add(error);
      throw error;
    }
  }
}

type Answered = { answer: Record<string, unknown> };

/** Errors of calls that had been sent before, and may have been carried out. */
const repeatedErrors = new WeakSet<TidemarkError>();

function wasRepeated(error: unknown): error is TidemarkError {
  return error instanceof TidemarkError && repeatedErrors.has(error);
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw unexpected();
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : text(value);
}

function unexpected(): TidemarkError {
  return new TidemarkError("unexpected_answer", "The answer is not Tidemark's. Check `client.url`.", {
    status: 200,
  });
}
