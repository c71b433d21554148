import pg from "pg";
import { expect, it, vi } from "vitest";
import type { Db } from "@/server/db";
import { newId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { type Awoken, Lookout, type Sleeper } from "./lookout";
import { beginWalk, type ReadPage, readChanges, walkOn } from "./read-changes";

const t = useDatabase();

/** The database, whose first statement waits until it is let go. */
function gated() {
  let letGo = () => {};
  let isReached = false;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const db = {
    async $queryRawUnsafe(text: string, ...values: unknown[]) {
      isReached = true;
      await gate;
      return t.db.$queryRawUnsafe(text, ...values);
    },
  } as unknown as Db;
  return { db, letGo, reached: () => vi.waitFor(() => expect(isReached).toBe(true), 10_000) };
}

it("does not forget who fell asleep during a look when an older writer rolls back, which nobody tells", async () => {
  const caller = await createCaller(t.db);
  const feed = await createFeed(t.db, caller);
  const begun = beginWalk(caller, { cursor: "now", limit: 10 });
  const walk = walkOn(begun, await readChanges(t.db, begun));

  const older = new pg.Client({ connectionString: t.url });
  await older.connect();
  try {
    await older.query("BEGIN");
    await older.query(
      `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, seq)
       VALUES ($1, $2, $3, $4, 'never', nextval('document_seq'))`,
      [caller.workspaceId, newId("doc"), feed.id, feed.sourceId],
    );
    await ingestDocuments(t.db, caller, {
      feedId: (await createFeed(t.db, caller)).id,
      documents: [{ id: "committed" }],
    });
    const seen: ReadPage = await readChanges(t.db, walk);
    expect(seen.rows).toEqual([]);

    const { db, letGo, reached } = gated();
    const lookout = new Lookout(db, caller.workspaceId);
    const sleep = () =>
      new Promise<Awoken>((resolve) => {
        const sleeper: Sleeper = {
          walk,
          wake(awoken) {
            lookout.remove(sleeper);
            resolve(awoken);
          },
        };
        lookout.add(sleeper, lookout.calls, seen);
      });
    const first = sleep();
    await reached();
    const second = sleep();
    await older.query("ROLLBACK");
    letGo();
    const committed = { page: { rows: [expect.arrayContaining(["committed"])] } };
    expect(await first).toMatchObject(committed);
    expect(await second).toMatchObject(committed);
  } finally {
    await older.end();
  }
});
