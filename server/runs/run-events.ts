import type { JsonObject } from "@/sdk/adapter";
import type { Db, Prisma, Tx } from "@/server/db";

/** One line of a run's story. `at` defaults to database time. */
export type RunEventInput = {
  level: "info" | "warn" | "error";
  kind: "request" | "page" | "cursor" | "sweep" | "lifecycle" | "log";
  /** For people; secrets masked. */
  message: string;
  data?: JsonObject;
  at?: Date;
};

/** Appends to a run's story. Order is kept: ids are given in the order of the array. */
export async function addRunEvents(
  db: Db | Tx,
  { workspaceId, runId }: { workspaceId: number; runId: string },
  events: readonly RunEventInput[],
): Promise<void> {
  if (events.length === 0) return;
  await db.runEvent.createMany({
    data: events.map(({ level, kind, message, data, at }) => ({
      workspaceId,
      runId,
      level,
      kind,
      // jsonb and text take neither NUL nor lone surrogates; an upstream's answer may hold both.
      message: clean(message),
      data: JSON.parse(JSON.stringify(data ?? {}), (_, value) =>
        typeof value === "string" ? clean(value) : value,
      ) as Prisma.InputJsonObject,
      ...(at ? { at } : {}),
    })),
  });
}

function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
