import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { followChanges } from "@/sdk/follow/follow-changes";
import { Mirror } from "@/sdk/testing/mirror";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { purgeTombstones } from "@/server/changes/purge-tombstones";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "./database";
import { createCaller, createFeed } from "./factories";
import { RestClient } from "./rest-client";
import { type RestServer, startRestServer } from "./rest-server";

const t = useDatabase();
let server: RestServer;
let caller: Caller;
let feedId: string;
let api: RestClient;

beforeAll(async () => {
  server = await startRestServer(t.db);
});
afterAll(() => server.stop());
beforeEach(async () => {
  caller = await createCaller(t.db);
  feedId = (await createFeed(t.db, caller)).id;
  api = await RestClient.create(t.db, caller);
});

type Item = { id: string; version?: string; title?: string; deleted?: boolean };

async function push(documents: Item[]) {
  for (let from = 0; from < documents.length; from += 50) {
    await ingestDocuments(t.db, caller, { feedId, documents: documents.slice(from, from + 50) as never });
  }
}

/** The calendar moves on: everything that happened is so many days older. */
async function passDays(days: number): Promise<void> {
  await t.db.$executeRaw`
    UPDATE documents SET changed_at = changed_at - make_interval(days => ${days}::int)
     WHERE workspace_id = ${caller.workspaceId}::int`;
}

async function stored(): Promise<Map<string, string | null>> {
  const rows = await t.db.document.findMany({
    where: { workspaceId: caller.workspaceId, state: "live" },
  });
  return new Map(rows.map((row) => [String(row.externalId), row.title]));
}

const numbered = (from: number, count: number, prefix = "d") =>
  Array.from({ length: count }, (_, n) => ({ id: `${prefix}${from + n}`, title: `${prefix} ${from + n}` }));

it("a first walk of ten pages during which purge moves the horizon past it ends equal, without 410", async () => {
  await push([...numbered(100, 50), ...numbered(0, 20)]);
  await push(numbered(0, 20).map(({ id }) => ({ id, deleted: true })));
  await passDays(29);
  await push(numbered(150, 50));

  const copy = new Map<string, string>();
  let cursor = "";
  let pages = 0;
  for (let hasMore = true; hasMore; pages += 1) {
    const { status, body } = await api.get(`/changes?limit=10${cursor && `&cursor=${cursor}`}`);
    expect(status, `page ${pages}`).toBe(200);
    for (const change of body.changes) {
      if (change.op === "upsert") copy.set(change.externalId, change.document.title);
      else copy.delete(change.externalId);
    }
    cursor = body.cursor;
    hasMore = body.hasMore;
    if (pages === 2) {
      // Meanwhile what was deleted before the walk falls due, and documents that it brought are deleted.
      await passDays(2);
      await push([{ id: "d101", deleted: true }, { id: "d170", title: "changed" }, ...numbered(200, 5)]);
      await purgeTombstones(t.db);
      expect(await t.db.document.count({ where: { feedId, state: "grave" } })).toBe(20);
      const { horizon } = (await api.get("/changes/head")).body;
      expect(BigInt(horizon), "above the walk's place").toBeGreaterThan(BigInt(body.changes.at(-1).seq));
    }
  }
  expect(pages).toBeGreaterThanOrEqual(10);
  expect(copy).toEqual(await stored());
  expect(copy.has("d101")).toBe(false);
});

it("a follower away longer than the retention is expired and ends equal; one within it never is", async () => {
  const { token } = await createToken(t.db, caller, { name: "mirror", scopes: ["changes:read"] });
  // How many days each stays away, time after time.
  const absences = [1, 7, 19, 30, 31, 45];
  const followers = absences.map((days) => ({ days, mirror: new Mirror(), restarts: 0 }));
  const catchUp = async (follower: (typeof followers)[number]) => {
    const { restarts } = await followChanges({
      url: server.url,
      token,
      ...follower.mirror.transactional(),
      limit: 25,
      stopWhenCaughtUp: true,
    });
    follower.restarts += restarts;
    expect(follower.mirror.contents, `away for ${follower.days} days`).toEqual(await stored());
  };
  await push(numbered(0, 40));
  for (const follower of followers) await catchUp(follower);
  for (let day = 1; day <= 95; day += 1) {
    await passDays(1);
    // Each day brings a document and deletes the one before it, at any time of the day.
    await push([...numbered(1000 + day, 1), { id: `d${999 + day}`, deleted: true }]);
    await purgeTombstones(t.db);
    for (const follower of followers) if (day % follower.days === 0) await catchUp(follower);
  }
  for (const { days, restarts } of followers) {
    if (days <= 30) expect(restarts, `away for ${days} days`).toBe(0);
    else if (days >= 45) expect(restarts, `away for ${days} days`).toBeGreaterThan(0);
  }
  expect(await t.db.document.count({ where: { feedId, state: "grave" } })).toBeGreaterThan(50);
  expect(await purgeTombstones(t.db)).toMatchObject({ purged: 0 });
});

it("a delete that was committed after a follower came by is kept for that follower's whole retention", async () => {
  await push(numbered(0, 3));
  const writer = new pg.Client({ connectionString: t.url });
  await writer.connect();
  await writer.query("BEGIN"); // now() is this moment
  await writer.query("SELECT 1 FROM feeds WHERE id = $1 FOR UPDATE", [feedId]);
  const { cursor } = (await api.get("/changes")).body;
  await writer.query(
    `SELECT tombstone_documents($1, ARRAY(SELECT id FROM documents WHERE feed_id = $2 AND external_id = 'd0'), 'explicit', NULL)`,
    [caller.workspaceId, feedId],
  );
  await writer.query("COMMIT");
  await writer.end();

  await passDays(30);
  expect(await purgeTombstones(t.db)).toMatchObject({ purged: 0 });
  expect((await api.get(`/changes?cursor=${cursor}`)).body.changes).toMatchObject([
    { op: "delete", externalId: "d0" },
  ]);
});

it("F18: an old page cannot bring back what was purged, and an old cursor is refused", async () => {
  await push([{ id: "x", version: "1", title: "Ebb" }]);
  const { cursor: before } = (await api.get("/changes")).body;
  await push([{ id: "x", version: "2", deleted: true }]);
  const { cursor: after, changes } = (await api.get(`/changes?cursor=${before}`)).body;
  expect(changes).toMatchObject([{ op: "delete", externalId: "x" }]);
  await passDays(31);
  await purgeTombstones(t.db);

  await push([{ id: "x", version: "1", title: "Ebb" }]);
  await push([{ id: "x", version: "2", title: "Ebb" }]);
  expect(await api.get(`/changes?cursor=${before}`)).toMatchObject({
    status: 410,
    body: { code: "cursor_expired", reason: "horizon" },
  });
  // Who has seen the delete goes on, and sees nothing but what is newer than it.
  expect((await api.get(`/changes?cursor=${after}`)).body.changes).toEqual([]);
  await push([{ id: "x", version: "3", title: "Flood" }]);
  expect((await api.get(`/changes?cursor=${after}`)).body.changes).toMatchObject([
    { op: "upsert", externalId: "x", version: "3" },
  ]);
  expect((await api.get("/changes")).body.changes).toHaveLength(1);
});

it("a filter on a deleted feed holds until its tombstones are purged", async () => {
  await push(numbered(0, 2));
  const { cursor } = (await api.get(`/changes?feedId=${feedId}`)).body;
  expect((await api.delete(`/feeds/${feedId}`)).status).toBe(204);
  const page = await api.get(`/changes?feedId=${feedId}&cursor=${cursor}`);
  expect(page.body.changes).toMatchObject([{ op: "delete" }, { op: "delete" }]);
  await passDays(31);
  await purgeTombstones(t.db);
  expect((await api.get(`/changes?feedId=${feedId}&cursor=${page.body.cursor}`)).status).toBe(404);
  expect((await api.get(`/changes?feedId=${feedId}&cursor=${cursor}`)).status).toBe(410);
});
