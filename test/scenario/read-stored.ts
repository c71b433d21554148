import type { Db } from "@/server/db";

/** Columns that differ between two tellings of the same story. */
const IS_TIME = /(^at|At|Until|Since|^durations)$/;
const IS_ID = /(^id|Id|^actor|Hash|^seq|SafePoint|^key)$/;

/**
 * Everything a workspace holds of one story, in the order in which it was written, with times, ids and
 * positions in the change log taken out: null stays null, anything else becomes "*".
 */
export async function readStored(db: Db, workspaceId: number) {
  const where = { workspaceId };
  const rows = {
    sources: await db.source.findMany({ where }),
    feeds: await db.feed.findMany({ where }),
    documents: await db.document.findMany({ where, orderBy: { externalId: "asc" } }),
    runs: await db.syncRun.findMany({ where, orderBy: { id: "asc" } }),
    events: await db.runEvent.findMany({ where, orderBy: { id: "asc" } }),
    transitions: await db.cursorTransition.findMany({ where, orderBy: { at: "asc" } }),
    rejections: await db.rejectedDocument.findMany({ where }),
    runKeys: await db.runKey.findMany({ where }),
    holds: await db.heldDelete.findMany({ where }),
  };
  return Object.fromEntries(
    Object.entries(rows).map(([table, found]) => [table, found.map((row) => maskRow(row))]),
  ) as Record<keyof typeof rows, Record<string, unknown>[]>;
}

function maskRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isMasked = IS_TIME.test(name) || (IS_ID.test(name) && name !== "externalId");
      return [name, isMasked && value !== null ? "*" : value];
    }),
  );
}
