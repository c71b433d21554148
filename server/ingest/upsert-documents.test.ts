import { hash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { createDb } from "@/server/db";
import { inSqlTransaction } from "@/server/sql-transaction";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { ingestDocuments } from "./ingest-documents";
import { prepareItems, settleBatch } from "./prepare-batch";
import { upsertDocuments } from "./upsert-documents";

const t = useDatabase();

it("stores the same through a transaction pooler, which takes neither names nor binary arrays", async () => {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(t.db, caller);
  const pooled = createDb(`${t.url}?pgbouncer=true`, 2);
  const documents = [
    {
      id: 'q"\\{,}',
      version: "1",
      title: "Ebb",
      text: "low\nwater",
      metadata: { deep: ['"'] },
      author: "NULL",
    },
    { id: "b", version: "2", deleted: true },
  ];
  try {
    const first = await ingestDocuments(pooled, caller, { feedId, documents });
    expect(first).toMatchObject({ created: 1, documentsDeleted: 1, documentsRejected: [] });
  } finally {
    await pooled.$disconnect();
  }
  const [stored] = await t.db.document.findMany({ where: { feedId, state: "live" } });
  expect(stored).toMatchObject({
    externalId: 'q"\\{,}',
    text: "low\nwater",
    metadata: { deep: ['"'] },
    author: "NULL",
  });
  expect(stored?.contentHash).toHaveLength(hash("sha256", "", "buffer").length);
  // And the driver's way finds nothing to change in it.
  await expect(ingestDocuments(t.db, caller, { feedId, documents })).resolves.toMatchObject({
    documentsSkipped: 2,
  });
});

it("begins again when a writer without the feed's lock outran its judgement", async () => {
  const caller = await createCaller(t.db);
  const { id: feedId, sourceId } = await createFeed(t.db, caller);
  const feed = { workspaceId: caller.workspaceId, feedId, sourceId, runId: "run_x" };
  const batch = () => settleBatch(prepareItems(feedId, [{ id: "a", version: "1" }], false), null).documents;
  const judgements: string[] = [];

  let losing: Promise<void> | undefined;
  await inSqlTransaction(t.db, async (rival) => {
    await upsertDocuments(rival, feed, batch());
    losing = inSqlTransaction(t.db, async (tx) => {
      judgements.push("began");
      for (const { verdict } of await upsertDocuments(tx, feed, batch())) judgements.push(verdict);
    });
    await vi.waitFor(async () => {
      const waiting = await t.db.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    }, 10_000);
  });
  await losing;
  expect(judgements).toEqual(["began", "began", "skip"]);
});
