import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { isId } from "@/server/ids";
import { readRunNames } from "./read-run-names";
import { type ApiRunWithEvents, toRun } from "./run-shape";

/** A run of a large site makes thousands of requests; the newest lines tell how it ended. */
const MAX_EVENTS = 1000;

/**
 * One run with what happened in it, in order (the last 1,000 events).
 *
 * @throws AppError not_found, also for another workspace's run.
 */
export async function getRun(
  db: Db,
  { workspaceId }: Caller,
  { runId }: { runId: string },
): Promise<ApiRunWithEvents> {
  const row = isId("run", runId)
    ? await db.syncRun.findUnique({ where: { workspaceId_id: { workspaceId, id: runId } } })
    : null;
  if (!row) throw runNotFound();
  const [namesOf, events] = await Promise.all([
    readRunNames(db, workspaceId, [row]),
    db.runEvent.findMany({ where: { workspaceId, runId }, orderBy: { id: "desc" }, take: MAX_EVENTS }),
  ]);
  return {
    ...toRun(row, namesOf(row)),
    events: events.reverse().map((event) => ({
      at: event.at.toISOString(),
      level: event.level,
      kind: event.kind,
      message: event.message,
      data: event.data as Record<string, unknown>,
    })),
  };
}

/**
 * Asked before what only says `run_fenced`: another workspace's run does not exist here.
 *
 * @throws AppError not_found
 */
export async function requireRun(db: Db, { workspaceId }: Caller, runId: string): Promise<void> {
  const row = isId("run", runId)
    ? await db.syncRun.findUnique({
        where: { workspaceId_id: { workspaceId, id: runId } },
        select: { id: true },
      })
    : null;
  if (!row) throw runNotFound();
}

function runNotFound(): AppError {
  return new AppError("not_found", "There is no such run in this workspace.");
}
