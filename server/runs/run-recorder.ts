import type { RequestEvent } from "@/adapters/http";
import type { AdapterLog, JsonObject } from "@/sdk/adapter";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import type { RunWarning } from "./run-error";
import { addRunEvents, type RunEventInput } from "./run-events";

/** A walk of thousands of requests is told by its first ones and its counters. */
const MAX_EVENTS = 2_000;
const MAX_WARNINGS = 50;

export type RunRecorder = {
  onRequest(event: RequestEvent): void;
  log: AdapterLog;
  /** Warnings for the run's row, given with its end. */
  warnings: RunWarning[];
  /** Writes what has gathered: events in order, request and byte counters. */
  flush(): Promise<void>;
};

/** Gathers what happens during a run in memory and writes it with each page and heartbeat. */
export function createRunRecorder(
  db: Db,
  run: { workspaceId: number; runId: string },
  { mask, now }: { mask: (text: string) => string; now: () => Date },
): RunRecorder {
  const warnings: RunWarning[] = [];
  let pending: RunEventInput[] = [];
  let kept = 0;
  let requests = 0;
  let bytes = 0;

  function add(event: RunEventInput): void {
    kept += 1;
    if (kept < MAX_EVENTS) pending.push({ ...event, at: now() });
    else if (kept === MAX_EVENTS) {
      pending.push({
        level: "info",
        kind: "log",
        message: "Further events are not kept, only counted.",
        at: now(),
      });
    }
  }

  return {
    warnings,
    onRequest(event) {
      requests += 1;
      bytes += event.bytes;
      add(describeRequest(event));
    },
    log: {
      info: (message, data) =>
        add({ level: "info", kind: "log", message: mask(message), data: maskData(data, mask) }),
      warn(code, message, data) {
        if (warnings.length < MAX_WARNINGS) warnings.push({ code, message: mask(message) });
        add({ level: "warn", kind: "log", message: mask(message), data: { code, ...maskData(data, mask) } });
      },
    },
    async flush() {
      const batch = { events: pending, requests, bytes };
      pending = [];
      requests = 0;
      bytes = 0;
      try {
        await addRunEvents(db, run, batch.events);
        if (batch.requests > 0) {
          await db.$executeRaw`
            UPDATE sync_runs SET requests = requests + ${batch.requests}::int, bytes = bytes + ${batch.bytes}::bigint
             WHERE workspace_id = ${run.workspaceId}::int AND id = ${run.runId} AND status = 'running'`;
        }
      } catch (error) {
        // A story with a hole is better than a run that fails for it.
        log.warn({ err: error, runId: run.runId }, "run events could not be written");
      }
    },
  };
}

function describeRequest({ url, method, status, ms, bytes, error, bodySample }: RequestEvent): RunEventInput {
  const failed = status === null || status >= 400;
  return {
    level: failed ? "warn" : "info",
    kind: "request",
    message: `${method} ${url}: ${status ?? error ?? "no answer"}`,
    data: {
      url,
      method,
      status,
      ms,
      bytes,
      ...(error === undefined ? {} : { error }),
      ...(bodySample === undefined ? {} : { bodySample }),
    },
  };
}

function maskData(data: JsonObject | undefined, mask: (text: string) => string): JsonObject {
  return JSON.parse(JSON.stringify(data ?? {}), (_, value) =>
    typeof value === "string" ? mask(value) : value,
  );
}
