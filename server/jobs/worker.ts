import { adapters as registered } from "@/adapters/registry";
import type { Adapter } from "@/sdk/adapter";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { type ExecutedStatus, executeRun, type RunnerOptions } from "@/server/runs/execute-run";
import { activateRun } from "@/server/runs/start-run";
import { claimDueFeeds, listQueuedRuns, type WaitingRun } from "./claim-due-feeds";

/** Runs at the same time in one process. They mostly wait for upstreams; the pool has twelve connections. */
const CONCURRENCY = 6;
/** Room for people who wait while slow upstreams hold every other place. */
const AWAITED_EXTRA = 3;

export type WorkerOptions = {
  /** Connectors; those of the registry when absent. */
  adapters?: readonly Adapter[];
  concurrency?: number;
  runner?: Pick<RunnerOptions, "now" | "fetch">;
  /** Time for a run that begins now, in milliseconds. */
  budgetMs?(): number;
  /** Told of every run that this worker ended. */
  onEnd?(runId: string, status: ExecutedStatus): void;
};

export type Worker = {
  /** Types this worker can run. */
  types: readonly string[];
  knows(type: string): boolean;
  /** Takes queued runs as far as there is room; returns at once. */
  wake(): void;
  /** Claims due feeds and takes queued runs as far as there is room. @returns how many runs began. */
  tick(): Promise<number>;
  isIdle(): boolean;
  /** Resolves when nothing is under way in this worker. */
  idle(): Promise<void>;
  /** Resolves when at least one more run ended, at once when none is under way. */
  next(): Promise<void>;
  /** Takes nothing more and waits for what is under way. */
  drain(): Promise<void>;
  /** Takes nothing more, lets what is under way end as `partial`, waits for it. */
  stop(): Promise<void>;
};

/** Executes runs of one database in this process, a bounded number at a time. */
export function createWorker(db: Db, options: WorkerOptions = {}): Worker {
  const cloud = (options.adapters ?? registered).filter((adapter) => adapter.runsOn.includes("cloud"));
  const byType = new Map(cloud.map((adapter) => [adapter.type, adapter]));
  const types = [...byType.keys()];
  const concurrency = options.concurrency ?? CONCURRENCY;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let waking: Promise<unknown> | null = null;
  let wokenAgain = false;
  let closed = false;

  async function tick(): Promise<number> {
    if (closed) return 0;
    // What waits comes first: otherwise the queue would grow while there is no room.
    const waiting = await takeQueued();
    const claimed = await claimDueFeeds(db, { types, limit: concurrency - underWay.size });
    return waiting + (claimed.length > 0 ? await takeQueued() : 0);
  }

  async function takeQueued(): Promise<number> {
    let taken = 0;
    for (const run of await listQueuedRuns(db, {
      types,
      limit: concurrency + AWAITED_EXTRA - underWay.size,
    })) {
      // Another call of this process may have filled the room meanwhile.
      const room = run.isAwaited ? concurrency + AWAITED_EXTRA : concurrency;
      if (closed || underWay.size >= room) break;
      if (underWay.has(run.runId)) continue;
      if (await take(run)) taken += 1;
    }
    return taken;
  }

  /** A rival may activate the run first; the WHERE of activateRun decides. */
  async function take(run: WaitingRun): Promise<boolean> {
    const caller = { workspaceId: run.workspaceId, actor: { type: "scheduler" } } as const;
    let failed = false;
    const activation = activateRun(db, caller, { runId: run.runId }).catch((error: unknown) => {
      failed = true;
      throw error;
    });
    const work = activation
      .then((isOurs) => (isOurs ? execute(run) : undefined))
      .catch((error: unknown) => log.error({ err: error, runId: run.runId }, "run could not be taken"))
      .finally(() => {
        underWay.delete(run.runId);
        // There is room again. After a failure the next round tries: waking now would try this one at once.
        if (!failed) wake();
      });
    underWay.set(run.runId, work);
    return activation.catch(() => false);
  }

  async function execute(run: WaitingRun): Promise<void> {
    const status = await executeRun(db, run, {
      ...options.runner,
      budgetMs: options.budgetMs?.(),
      getAdapter: (type) => byType.get(type),
      signal: stopping.signal,
    });
    options.onEnd?.(run.runId, status);
  }

  function wake(): void {
    if (closed) return;
    if (waking) {
      wokenAgain = true;
      return;
    }
    waking = takeQueued()
      .catch((error: unknown) => log.warn({ err: error }, "queued runs could not be read"))
      .finally(() => {
        waking = null;
        if (!wokenAgain) return;
        wokenAgain = false;
        wake();
      });
  }

  async function idle(): Promise<void> {
    while (waking || underWay.size > 0) await Promise.all([waking, ...underWay.values()]);
  }

  return {
    types,
    knows: (type) => byType.has(type),
    wake,
    tick,
    isIdle: () => waking === null && underWay.size === 0,
    idle,
    async next() {
      if (underWay.size > 0) await Promise.race(underWay.values());
    },
    async drain() {
      closed = true;
      await idle();
    },
    async stop() {
      closed = true;
      stopping.abort();
      await idle();
    },
  };
}

const shared = globalThis as typeof globalThis & { __tidemarkWorkers?: WeakMap<Db, Worker> };

/** The process's worker for a database. On globalThis because Next bundles instrumentation and routes apart. */
export function workerFor(db: Db): Worker {
  const existing = workers().get(db);
  if (existing) return existing;
  const worker = createWorker(db);
  workers().set(db, worker);
  return worker;
}

/** Puts a worker with other adapters in its place; for tests and for code that embeds the server. */
export function setWorker(db: Db, worker: Worker): void {
  workers().set(db, worker);
}

function workers(): WeakMap<Db, Worker> {
  shared.__tidemarkWorkers ??= new WeakMap();
  return shared.__tidemarkWorkers;
}
