import { expect, it } from "vitest";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { expireRecords } from "./expire-records";

const t = useDatabase();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function setUp(runRetentionDays = 90) {
  const caller = await createCaller(t.db);
  const { workspaceId } = caller;
  await t.db.workspace.update({ where: { id: workspaceId }, data: { runRetentionDays } });
  const { id: feedId } = await createFeed(t.db, caller);
  const where = { workspaceId };
  async function addDay(day: Date) {
    const counts = { runs: 1, requests: 1, bytes: 1n };
    await t.db.runDay.create({ data: { workspaceId, feedId, day, status: "succeeded", ...counts } });
  }
  async function addTransition(at: Date, of = feedId) {
    const id = newId("ctr");
    const data = { workspaceId, id, feedId: of, outcome: "advanced", actor: caller.actor, at } as const;
    await t.db.cursorTransition.create({ data });
    return id;
  }
  async function addRejection(lastAt: Date) {
    const id = newId("rej");
    const item = { code: "date_invalid", message: "x", payload: {}, itemHash: Buffer.from(id) };
    await t.db.rejectedDocument.create({
      data: { workspaceId, id, feedId, ...item, at: daysAgo(400), lastAt },
    });
    return id;
  }
  async function addHold(decidedAt: Date | null) {
    const id = newId("hold");
    const status = decidedAt ? "replaced" : "held";
    const hold = { runId: newId("run"), count: 1, sample: [], reason: "x", at: daysAgo(400) };
    await t.db.heldDelete.create({ data: { workspaceId, id, feedId, ...hold, status, decidedAt } });
    return id;
  }
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
  return { where, addDay, addTransition, addRejection, addHold, ids };
}

it("forgets days, rejections and decided holds as old as the runs that are forgotten", async () => {
  const { where, addDay, addRejection, addHold, ids } = await setUp();
  await addDay(daysAgo(92));
  await addDay(daysAgo(80));
  await addRejection(daysAgo(91));
  const seenLately = await addRejection(daysAgo(1));
  await addHold(daysAgo(91));
  const kept = [await addHold(daysAgo(1)), await addHold(null)].sort();
  await expireRecords(t.db);
  await expect(t.db.runDay.count({ where })).resolves.toBe(1);
  expect(ids(await t.db.rejectedDocument.findMany({ where }))).toEqual([seenLately]);
  expect(ids(await t.db.heldDelete.findMany({ where }))).toEqual(kept);
});

it("keeps a feed's newest move of the cursor, however old, unless the feed is gone", async () => {
  const { where, addTransition, ids } = await setUp();
  await addTransition(daysAgo(300));
  const newest = await addTransition(daysAgo(200));
  await addTransition(daysAgo(200), newId("feed"));
  await expireRecords(t.db);
  expect(ids(await t.db.cursorTransition.findMany({ where }))).toEqual([newest]);
});

it("goes by the workspace's own retention and leaves what is younger", async () => {
  const long = await setUp(365);
  await long.addTransition(daysAgo(300));
  await long.addTransition(daysAgo(10));
  await expireRecords(t.db);
  await expect(t.db.cursorTransition.count({ where: long.where })).resolves.toBe(2);
});

it("does nothing once it is told to stop", async () => {
  const { where, addRejection } = await setUp();
  await addRejection(daysAgo(91));
  await expireRecords(t.db, { signal: AbortSignal.abort() });
  await expect(t.db.rejectedDocument.count({ where })).resolves.toBe(1);
});
