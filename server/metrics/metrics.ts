import { Counter, Gauge, Histogram, Registry } from "prom-client";

/**
 * What this process has counted since it started, for /api/metrics. Labels have few values each: never an
 * id, an address or anything else that a client chooses. docs/metrics.md tells what each means.
 */
export type Metrics = ReturnType<typeof createMetrics>;

// On globalThis because Next bundles routes apart: all of them count into one registry.
const shared = globalThis as typeof globalThis & { __tidemarkMetrics?: Metrics };

export function metrics(): Metrics {
  shared.__tidemarkMetrics ??= createMetrics();
  return shared.__tidemarkMetrics;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From an answer out of memory to a poll that waits as long as it may. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, MINUTE];
/** From a feed that answers "not modified" to the longest a run may take. */
const RUN_SECONDS = [0.1, 0.5, 1, 5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR];
/** From up to date to far beyond the usual retention of deletes, 30 days. */
const AGE_SECONDS = [
  1,
  10,
  MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  DAY,
  3 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
];

function createMetrics() {
  const registry = new Registry();
  /** Gauges of the database's state: left out where it could not be asked, so that no old number looks new. */
  const store = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `tidemark_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
    registers = [registry],
  ) => new Gauge({ name: `tidemark_${name}`, help, labelNames, registers });
  const storeGauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    gauge(name, help, labelNames, [store]);
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[] = [],
  ) => new Histogram({ name: `tidemark_${name}`, help, buckets, labelNames, registers });

  return {
    registry,
    store,
    info: gauge("info", "1; the label is the running version", ["version"]),
    requests: counter("http_requests_total", "API requests answered", ["route", "method", "status"]),
    requestSeconds: histogram(
      "http_request_duration_seconds",
      "Time until an API request was answered; waiting for changes included",
      REQUEST_SECONDS,
      ["route", "method"],
    ),
    documents: counter("documents_ingested_total", "Documents received, by what became of them", ["result"]),
    ingestCalls: counter("ingest_calls_total", "Pages and pushes stored, by what became of their cursor", [
      "cursor",
      "conflict",
    ]),
    runsEnded: counter("sync_runs_ended_total", "Sync runs that this process ended", ["status", "executor"]),
    runSeconds: histogram("sync_run_duration_seconds", "From a run's start to its end", RUN_SECONDS, [
      "executor",
    ]),
    webhookAttempts: counter("webhook_attempts_total", "Attempts to deliver a webhook, by their outcome", [
      "outcome",
    ]),
    pulls: counter("change_pulls_total", "Requests for changes, by where they began", ["from"]),
    cursorAge: histogram(
      "change_cursor_age_seconds",
      "At each pull with a cursor: how long ago the oldest change happened that it does not have yet; 0 when it has all",
      AGE_SECONDS,
    ),
    cursorsExpired: counter("change_cursors_expired_total", "Change cursors refused as expired", ["reason"]),
    waiters: gauge("change_waiters", "Long polls and streams of changes that wait in this process"),
    connections: gauge("database_connections", "This process's pool of database connections", ["state"]),
    rounds: counter("background_rounds_total", "Rounds of this process's background work", [
      "task",
      "outcome",
    ]),
    databaseUp: gauge(
      "database_up",
      "1 when the gauges of the whole store could be read, else 0 and they are left out",
    ),
    feeds: storeGauge("feeds", "Feeds of the whole store, by status", ["status"]),
    feedsDue: storeGauge("feeds_due", "Feeds of the whole store that are due and not being synced"),
    feedsOverdue: storeGauge("feeds_overdue_seconds", "How long the feed that is due longest has been due"),
    runsActive: storeGauge("sync_runs_active", "Sync runs of the whole store that are queued or running", [
      "status",
    ]),
    runsLost: storeGauge("sync_runs_lease_expired", "Running sync runs whose lease ran out: not reaped yet"),
    deliveriesPending: storeGauge("webhook_deliveries_pending", "Webhook deliveries still to be made"),
    deliveriesOverdue: storeGauge(
      "webhook_deliveries_overdue_seconds",
      "How long the delivery that is due longest has been due",
    ),
  };
}
