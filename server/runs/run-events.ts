import type { JsonObject } from "@/sdk/adapter";
import type { Db, Prisma, Tx } from "@/server/db";
import { canonicalJson, cleanText } from "@/server/ingest/canonical-json";

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
      // An upstream's answer may hold what Postgres cannot.
      message: cleanText(message),
      data: JSON.parse(canonicalJson(data ?? {})) as Prisma.InputJsonObject,
      ...(at ? { at } : {}),
    })),
  });
}
