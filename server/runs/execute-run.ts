import type { GuardedFetchOptions } from "@/adapters/http";
import { type Adapter, CursorExpired, type JsonObject, type Page, UpstreamError } from "@/sdk/adapter";
import { maskUrlsInText } from "@/sdk/mask-url";
import type { Actor, Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { toAdapterCursor } from "@/server/ingest/cursor";
import { type Log, log } from "@/server/log";
import { commitPage, type Walk } from "./commit-page";
import { AdapterFault, type Ending, explainEnding, RunStopped } from "./explain-ending";
import { finishRun } from "./finish-run";
import { keepRunAlive } from "./keep-run-alive";
import { createRunFetch, type OpenedRun, openRun } from "./open-run";
import { restartRun } from "./restart-run";
import { SHUTDOWN } from "./run-error";
import { createRunRecorder, type RunRecorder } from "./run-recorder";

export type RunnerOptions = {
  getAdapter(type: string): Adapter | undefined;
  /** Aborted when the process stops: the run then ends as `partial`. */
  signal?: AbortSignal;
  /** Time for the whole run; its maximum duration when absent. */
  budgetMs?: number;
  /** Between signs of life; a third of the lease when absent. */
  heartbeatMs?: number;
  now?: () => Date;
  /** Changes to the guarded fetch; for tests. */
  fetch?: Partial<GuardedFetchOptions>;
};

/** How the run ended; `fenced` when someone else had ended it. */
export type ExecutedStatus = Ending["status"];

type RunRow = {
  id: string;
  feedId: string;
  actor: unknown;
  requestId: string | null;
  listing: boolean;
  cursorBefore: string | null;
  source: string;
};

/**
 * Brings one feed up to date: the runner. Takes a run that is `running` and was activated by this
 * process, walks the adapter page by page, commits each page with its cursor, renews the lease
 * meanwhile and ends the run. Throws nothing: whatever goes wrong becomes the run's error.
 */
export async function executeRun(
  db: Db,
  { workspaceId, runId }: { workspaceId: number; runId: string },
  options: RunnerOptions,
): Promise<ExecutedStatus> {
  const runLog = log.child({ runId, workspaceId });
  try {
    const run = await readRun(db, workspaceId, runId);
    if (!run) return "fenced";
    const caller: Caller = { workspaceId, actor: run.actor as Actor, requestId: run.requestId ?? undefined };
    return await walkAndFinish(db, caller, run, options, runLog);
  } catch (error) {
    return endAnyway(db, { workspaceId, runId }, error, runLog);
  }
}

/** The end could not be written as it was. With the database away not even this works; the reaper ends it. */
async function endAnyway(
  db: Db,
  { workspaceId, runId }: { workspaceId: number; runId: string },
  cause: unknown,
  runLog: Log,
): Promise<ExecutedStatus> {
  const ending = explainEnding(cause, maskUrlsInText);
  if (ending.status === "fenced") return "fenced";
  // Who deleted the feed has cancelled the run before.
  if (cause instanceof AppError && cause.code === "feed_not_found") return "fenced";
  runLog.error({ err: cause }, "run could not be ended");
  const caller: Caller = { workspaceId, actor: { type: "scheduler" } };
  await finishRun(db, caller, { runId, status: "failed", error: ending.error }).catch(() => {});
  return "failed";
}

async function readRun(db: Db, workspaceId: number, runId: string): Promise<RunRow | null> {
  const run = await db.syncRun.findUnique({
    where: { workspaceId_id: { workspaceId, id: runId }, status: "running" },
  });
  if (!run) return null;
  const source = await db.source.findUnique({
    where: { workspaceId_id: { workspaceId, id: run.sourceId } },
    select: { type: true },
  });
  return { ...run, source: source?.type ?? "" };
}

async function walkAndFinish(
  db: Db,
  caller: Caller,
  run: RunRow,
  options: RunnerOptions,
  runLog: Log,
): Promise<ExecutedStatus> {
  const started = performance.now();
  const clock = { fetchMs: 0, commitMs: 0 };
  const life = keepRunAlive(db, caller, {
    runId: run.id,
    budgetMs: options.budgetMs,
    heartbeatMs: options.heartbeatMs,
    signal: options.signal,
  });
  let opened: OpenedRun | null = null;
  let recorder: RunRecorder | null = null;
  let walked: WalkResult = { complete: false, movedTo: undefined };
  let ending: Ending = { status: "succeeded", error: null, retryAt: null };
  try {
    const adapter = options.getAdapter(run.source);
    if (!adapter)
      throw new AdapterFault("no adapter", {
        cause: new Error(`There is no adapter of type "${run.source}".`),
      });
    opened = await openRun(db, caller, run.feedId, adapter);
    recorder = createRunRecorder(
      db,
      { workspaceId: caller.workspaceId, runId: run.id },
      { mask: opened.mask, now: options.now ?? (() => new Date()) },
    );
    life.onBeat(recorder.flush);
    walked = await walk({ db, caller, run, adapter, opened, recorder, signal: life.signal, options, clock });
  } catch (error) {
    // Whatever an adapter throws once it was stopped, the stop is the reason.
    const reason = life.signal.aborted ? life.signal.reason : error;
    ending = explainEnding(reason, opened?.mask ?? maskUrlsInText);
    logEnding(runLog, ending, reason, opened?.mask ?? maskUrlsInText);
  } finally {
    life.end();
  }
  await recorder?.flush();
  if (ending.status === "fenced") return "fenced";

  await finishRun(db, caller, {
    runId: run.id,
    ...ending,
    complete: walked.complete,
    movedTo: walked.movedTo,
    warnings: recorder?.warnings,
    durations: { ...round(clock), totalMs: Math.round(performance.now() - started) },
  });
  return ending.status;
}

type WalkResult = { complete: boolean; movedTo: string | null | undefined };

type WalkInput = {
  db: Db;
  caller: Caller;
  run: RunRow;
  adapter: Adapter;
  opened: OpenedRun;
  recorder: RunRecorder;
  signal: AbortSignal;
  options: RunnerOptions;
  clock: { fetchMs: number; commitMs: number };
};

/** Walks the adapter; once more from nothing when the upstream forgot the position. */
async function walk(input: WalkInput): Promise<WalkResult> {
  const { db, caller, run, opened } = input;
  // A run told to list although there is a position must not be answered "not modified".
  const state = run.listing && run.cursorBefore !== null ? null : opened.state;
  const from = run.listing ? null : run.cursorBefore;
  try {
    return await walkOnce(input, from, state, { cursor: run.cursorBefore, sendsCursor: true, resync: false });
  } catch (error) {
    if (!(error instanceof CursorExpired) || from === null) throw error;
    input.signal.throwIfAborted();
    const { cursor } = await restartRun(db, caller, {
      runId: run.id,
      reason: opened.mask(error.message || "position expired"),
    });
    return walkOnce(input, null, null, { cursor, sendsCursor: true, resync: opened.watermark === "token" });
  }
}

async function walkOnce(
  { db, caller, run, adapter, opened, recorder, signal, options, clock }: WalkInput,
  from: string | null,
  state: JsonObject | null,
  start: Walk,
): Promise<WalkResult> {
  const now = options.now ?? (() => new Date());
  const pages = iterate(adapter, {
    config: opened.config,
    feed: {
      id: opened.feedId,
      externalKey: opened.externalKey,
      url: opened.url,
      name: opened.name,
      config: opened.feedConfig,
      state,
    },
    cursor: toAdapterCursor(opened.watermark, from),
    credentials: opened.credentials,
    fetch: createRunFetch(db, caller, opened, {
      adapter,
      signal,
      now,
      onRequest: recorder.onRequest,
      overrides: options.fetch,
    }),
    signal,
    log: recorder.log,
    now,
  });
  let walk = start;
  let result: WalkResult = { complete: false, movedTo: null };
  try {
    for (;;) {
      const page = await timed(clock, "fetchMs", () => nextPage(pages, signal));
      if (!page) return result;
      result = {
        complete: page.complete === true,
        movedTo: adapter.externalKeyIsUrl ? (page.movedTo ?? null) : undefined,
      };
      const target = { feedId: run.feedId, runId: run.id };
      walk = await timed(clock, "commitMs", () => commitPage(db, caller, target, page, walk));
      await recorder.flush();
      signal.throwIfAborted();
    }
  } finally {
    // Lets a generator close what it opened; one that hangs is not waited for.
    void Promise.resolve(pages.return?.()).catch(() => {});
  }
}

/** One page or many: the same to the walk. What the adapter throws without explaining is its fault. */
function iterate(adapter: Adapter, ctx: Parameters<Adapter["sync"]>[0]): AsyncIterator<Page> {
  return (async function* pages(): AsyncGenerator<Page> {
    try {
      const result = adapter.sync(ctx);
      if (Symbol.asyncIterator in result) yield* result;
      else yield await result;
    } catch (error) {
      if (error instanceof UpstreamError || error instanceof CursorExpired || error instanceof RunStopped)
        throw error;
      // Of ours, what the fetch may throw: the database is away.
      if (error instanceof AppError && error.code === "unavailable") throw error;
      throw new AdapterFault("adapter failed", { cause: error });
    }
  })();
}

/** Also returns when an adapter ignores its signal. */
async function nextPage(pages: AsyncIterator<Page>, signal: AbortSignal): Promise<Page | null> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    const step = await Promise.race([pages.next(), aborted]);
    return step.done ? null : step.value;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function timed<T>(
  clock: { fetchMs: number; commitMs: number },
  stage: "fetchMs" | "commitMs",
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    clock[stage] += performance.now() - started;
  }
}

function round(clock: { fetchMs: number; commitMs: number }): { fetchMs: number; commitMs: number } {
  return { fetchMs: Math.round(clock.fetchMs), commitMs: Math.round(clock.commitMs) };
}

function logEnding(runLog: Log, ending: Ending, reason: unknown, mask: (text: string) => string): void {
  if (ending.status === "fenced" || ending.error === null || ending.error.code === SHUTDOWN) {
    runLog.info({ status: ending.status }, "run stopped");
    return;
  }
  const { origin, code, message } = ending.error;
  const isOurs = origin !== "upstream" && ending.status === "failed";
  const cause = reason instanceof AdapterFault ? reason.cause : reason;
  const stack = isOurs && cause instanceof Error ? mask(cause.stack ?? cause.message) : undefined;
  runLog[isOurs ? "error" : "info"](
    { status: ending.status, origin, code, message, stack },
    "run ended early",
  );
}
