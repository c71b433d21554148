import { beforeEach, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { blockDocument } from "@/test/block-row";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { continueDeletions } from "./continue-deletions";

const t = useDatabase();
let caller: Caller;

beforeEach(async () => {
  caller = await createCaller(t.db);
});

/** A feed that is being deleted, with `count` live documents. */
async function aDyingFeed(count: number) {
  const { workspaceId } = caller;
  const feed = await createFeed(t.db, caller);
  await t.db.$executeRaw`
    INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, title, seq)
    SELECT ${workspaceId}::int, ${feed.id} || n, ${feed.id}, ${feed.sourceId}, n::text, 'Ebb', nextval('document_seq')
      FROM generate_series(1, ${count}::int) n`;
  await t.db.feed.updateMany({
    where: { id: feed.id },
    data: { state: "deleting", documentCount: count, updatedAt: new Date() },
  });
  return feed;
}

const liveIn = (feedId: string) => t.db.document.count({ where: { feedId, state: "live" } });

it("goes on where a killed process was, and nothing of its last batch is half done", async () => {
  const feed = await aDyingFeed(1_200);
  // The 700th document belongs to the second batch.
  const block = await blockDocument(t.url, `${feed.id}700`);
  const dying = continueDeletions(t.db).catch((error: unknown) => error);
  await block.waitedFor();
  expect(await block.killWaiting()).toBe(1);
  expect(await dying).toBeInstanceOf(Error);
  await block.release();

  expect(await liveIn(feed.id), "the first batch stays, the second left no trace").toBe(700);
  const [half] = await t.db.feed.findMany({ where: { id: feed.id } });
  expect(half).toMatchObject({ state: "deleting", documentCount: 700 });

  expect(await continueDeletions(t.db)).toEqual({ feeds: 1, sources: 0 });
  expect(await t.db.feed.count({ where: { id: feed.id } })).toBe(0);
  const tombstones = await t.db.document.findMany({
    where: { feedId: feed.id, state: "tombstone" },
    select: { seq: true },
  });
  expect(new Set(tombstones.map(({ seq }) => seq)).size).toBe(1_200);
});

it("lets one that fails neither stop the others nor stand before them again, and says that it failed", async () => {
  const bad = await aDyingFeed(1);
  const good = await aDyingFeed(2);
  const emptySource = await createFeed(t.db, caller);
  await t.db.feed.deleteMany({ where: { id: emptySource.id } });
  await t.db.source.updateMany({ where: { id: emptySource.sourceId }, data: { state: "deleting" } });
  // What makes a delete fail is not the point: here a rule of somebody's own.
  await t.db.$executeRawUnsafe(
    `ALTER TABLE feeds ADD CONSTRAINT kept CHECK (id <> '${bad.id}' OR document_count > 0)`,
  );

  await expect(continueDeletions(t.db)).rejects.toThrow("kept");

  expect(await t.db.feed.count({ where: { id: good.id } })).toBe(0);
  expect(await t.db.source.count({ where: { id: emptySource.sourceId } })).toBe(0);
  expect(await liveIn(bad.id)).toBe(1);
  const later = await aDyingFeed(1);
  const order = await t.db.feed.findMany({
    where: { state: "deleting" },
    select: { id: true },
    orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
  });
  expect(order.map(({ id }) => id)).toEqual([bad.id, later.id]);
  await expect(continueDeletions(t.db)).rejects.toThrow("kept");
  expect(await t.db.feed.count({ where: { id: later.id } })).toBe(0);

  await t.db.$executeRaw`ALTER TABLE feeds DROP CONSTRAINT kept`;
  expect(await continueDeletions(t.db)).toEqual({ feeds: 1, sources: 0 });
  expect(await liveIn(bad.id)).toBe(0);
});
