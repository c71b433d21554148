import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { countingDb } from "@/test/counting-db";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { announceChanges } from "./announce-changes";
import { createEndpoint } from "./create-endpoint";
import { updateEndpoint } from "./update-endpoint";

const t = useDatabase();
let rival: Db;
let caller: Caller;
let feedId: string;

beforeAll(() => {
  rival = createDb(t.url, 4);
});
afterAll(() => rival.$disconnect());
beforeEach(async () => {
  await t.db.webhookEndpoint.deleteMany();
  caller = await createCaller(t.db);
  feedId = (await createFeed(t.db, caller)).id;
});

let counter = 0;
function push() {
  counter += 1;
  return ingestDocuments(t.db, caller, { feedId, documents: [{ id: `d${counter}`, title: "Ebb" }] });
}
const endpoint = (events = ["changes.available" as const]) =>
  createEndpoint(t.db, caller, { url: "https://example.org/hook", events });
/** Lets the short interval between two announcements be over. */
const passInterval = () => t.db.webhookEndpoint.updateMany({ data: { changesAt: new Date(0) } });
const delivered = () =>
  t.db.webhookDelivery.updateMany({
    where: { state: "pending" },
    data: { state: "delivered", nextAttemptAt: null, finishedAt: new Date() },
  });
const heads = async () =>
  (await t.db.webhookDelivery.findMany({ orderBy: { id: "asc" } })).map(
    ({ body }) => JSON.parse(body).data.head,
  );
const lastSeq = async () =>
  String(
    (await t.db.document.aggregate({ where: { workspaceId: caller.workspaceId }, _max: { seq: true } }))._max
      .seq,
  );

it("tells once of many changes, with the head, and not again until there are more", async () => {
  await push();
  await endpoint();
  expect(await announceChanges(t.db), "what was there before").toBe(0);
  for (let i = 0; i < 7; i += 1) await push();
  expect(await announceChanges(t.db)).toBe(1);
  const first = await lastSeq();
  expect(await heads()).toEqual([first]);
  await delivered();
  await passInterval();
  expect(await announceChanges(t.db)).toBe(0);
});

it("tells at most once in its interval; what came meanwhile is told after it", async () => {
  await endpoint();
  await push();
  await announceChanges(t.db);
  await delivered();
  await push();
  expect(await announceChanges(t.db), "within the interval").toBe(0);
  await passInterval();
  expect(await announceChanges(t.db)).toBe(1);
  expect((await heads()).at(-1)).toBe(await lastSeq());
});

it("piles nothing up while one waits to be delivered", async () => {
  await endpoint();
  await push();
  await announceChanges(t.db);
  await push();
  await passInterval();
  expect(await announceChanges(t.db)).toBe(0);
  await delivered();
  expect(await announceChanges(t.db), "the newer head, once that one is through").toBe(1);
});

it("is told by one of two processes that look at the same time", async () => {
  await endpoint();
  await push();
  const both = await Promise.all([announceChanges(t.db), announceChanges(rival)]);
  expect(both[0] + both[1]).toBe(1);
});

it("tells nothing above the safe point: a follower who comes at once finds what it was told of", async () => {
  await endpoint();
  await push();
  const before = await lastSeq();
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let isOpen = () => {};
  const opened = new Promise<void>((done) => {
    isOpen = done;
  });
  const writer = rival.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE documents SET title = title WHERE workspace_id = ${caller.workspaceId}::int`;
    isOpen();
    await held;
  });
  await opened;
  await push(); // commits, and may not be served before the older writer has ended
  await announceChanges(t.db);
  expect(await heads()).toEqual([before]);
  release();
  await writer;
});

it("begins anew with a new epoch of the change log", async () => {
  await endpoint();
  await push();
  await announceChanges(t.db);
  await delivered();
  await passInterval();
  await t.db.instance.update({ where: { id: 1 }, data: { epoch: "another" } });
  expect(await announceChanges(t.db)).toBe(1);
});

it("an endpoint that chooses it later is told of what changes from then on", async () => {
  await push();
  const made = await createEndpoint(t.db, caller, {
    url: "https://example.org/hook",
    events: ["run.failed"],
  });
  await push();
  await updateEndpoint(t.db, caller, { webhookId: made.id, events: ["changes.available"] });
  expect(await announceChanges(t.db)).toBe(0);
  await push();
  expect(await announceChanges(t.db)).toBe(1);
});

it("asks one small question where nobody wants to know, and pushes ask none", async () => {
  const counted = countingDb(t.db);
  await push();
  expect(await announceChanges(counted.db)).toBe(0);
  expect(counted.queries()).toBe(1);
});
