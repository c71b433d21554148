import { collectDefaultMetrics } from "prom-client";
import { authenticateToken } from "@/server/access/authenticate-token";
import { requireScope } from "@/server/access/principal";
import { enforceRateLimit, rateLimitHeaders } from "@/server/access/rate-limit";
import { refuseQueryToken } from "@/server/access/token-spelling";
import { waitersFor } from "@/server/changes/waiters";
import { type Db, poolOf } from "@/server/db";
import { env } from "@/server/env";
import { FEED_STATUSES } from "@/server/feeds/choices";
import { log } from "@/server/log";
import { requestIdOf } from "@/server/request-id";
import { toProblemResponse } from "@/server/rest/problem";
import { VERSION } from "@/server/version";
import { type Metrics, metrics } from "./metrics";
import { readStore } from "./read-store";

const shared = globalThis as typeof globalThis & { __tidemarkProcessMetrics?: true };

/**
 * `GET /api/metrics`: this process's counters and the store's gauges, in Prometheus' text format. For a
 * token with `admin`, or for anybody where TIDEMARK_METRICS is `public`.
 *
 * Without the database a token cannot be believed (503); in public the counters come all the same, and
 * `tidemark_database_up` is 0.
 */
export async function answerMetrics(request: Request, getDb: () => Db): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    refuseQueryToken(request.url);
    const db = getDb();
    const limits = env().TIDEMARK_METRICS === "public" ? {} : await requireAdmin(db, request);
    const text = await writeMetrics(db);
    return new Response(text, {
      headers: {
        ...limits,
        "content-type": metrics().registry.contentType,
        "cache-control": "no-store",
        "x-request-id": requestId,
      },
    });
  } catch (error) {
    const path = new URL(request.url).pathname;
    return toProblemResponse(error, { requestId, method: request.method, path });
  }
}

async function requireAdmin(db: Db, request: Request): Promise<Record<string, string>> {
  const principal = await authenticateToken(db, request.headers.get("authorization"));
  await enforceRateLimit(db, principal);
  requireScope(principal, "admin");
  return rateLimitHeaders(principal);
}

async function writeMetrics(db: Db): Promise<string> {
  const all = metrics();
  // Begun by the first who asks: the garbage collector and the event loop are watched for nobody else.
  if (!shared.__tidemarkProcessMetrics) {
    shared.__tidemarkProcessMetrics = true;
    collectDefaultMetrics({ register: all.registry });
  }
  all.info.set({ version: VERSION }, 1);
  all.waiters.set(waitersFor(db).total());
  measurePool(all, db);
  const isStoreKnown = await measureStore(all, db);
  all.databaseUp.set(isStoreKnown ? 1 : 0);
  const own = await all.registry.metrics();
  return isStoreKnown ? own + (await all.store.metrics()) : own;
}

/** Behind a transaction pooler the pool is Prisma's own matter, and nothing is said. */
function measurePool({ connections }: Metrics, db: Db): void {
  const pool = poolOf(db);
  if (!pool) return;
  connections.set({ state: "busy" }, pool.totalCount - pool.idleCount);
  connections.set({ state: "idle" }, pool.idleCount);
  connections.set({ state: "awaited" }, pool.waitingCount);
}

/** @returns false when the database cannot be asked. */
async function measureStore(all: Metrics, db: Db): Promise<boolean> {
  try {
    const facts = await readStore(db);
    for (const status of FEED_STATUSES) all.feeds.set({ status }, facts.feeds[status] ?? 0);
    all.feedsDue.set(facts.due.count);
    all.feedsOverdue.set(facts.due.seconds);
    all.runsActive.set({ status: "queued" }, facts.queued);
    all.runsActive.set({ status: "running" }, facts.running);
    all.runsLost.set(facts.lost);
    all.deliveriesPending.set(facts.deliveries.pending);
    all.deliveriesOverdue.set(facts.deliveries.seconds);
    return true;
  } catch (error) {
    log.warn({ err: error }, "the store's metrics could not be read");
    return false;
  }
}
