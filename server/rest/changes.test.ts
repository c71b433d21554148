import { beforeEach, describe, expect, it } from "vitest";
import { encodeCursor, openCursor } from "@/server/changes/cursor";
import { changeEpoch } from "@/server/changes/identity";
import type { Change } from "@/server/changes/schema";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { newId } from "@/server/ids";
import { countingDb } from "@/test/counting-db";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";

const t = useDatabase();
let caller: Awaited<ReturnType<typeof createCaller>>;
let feed: Awaited<ReturnType<typeof createFeed>>;
let api: RestClient;

beforeEach(async () => {
  caller = await createCaller(t.db);
  feed = await createFeed(t.db, caller);
  api = await RestClient.create(t.db, caller);
});

const push = (documents: object[], feedId = feed.id) => api.post(`/feeds/${feedId}/documents`, { documents });
const idsOf = (body: { changes: Change[] }) => body.changes.map((change) => change.externalId);

async function walk(path: string, cursor?: string): Promise<{ changes: Change[]; cursor: string }> {
  const changes: Change[] = [];
  for (let next = cursor; ; ) {
    const sent = next === undefined ? "" : `&cursor=${next}`;
    const { status, body } = await api.get(`${path}${path.includes("?") ? "" : "?"}${sent}`);
    expect(status).toBe(200);
    changes.push(...body.changes);
    next = body.cursor as string;
    if (!body.hasMore) return { changes, cursor: next };
  }
}

/** What purge does, for rows it may take. */
async function purgeTombstones(): Promise<void> {
  await t.db.$transaction([
    t.db.$executeRaw`
      UPDATE workspaces w SET horizon = greatest(horizon, (
        SELECT max(seq) FROM documents d WHERE d.workspace_id = w.id AND d.state = 'tombstone'))
       WHERE id = ${caller.workspaceId}`,
    t.db.$executeRaw`
      UPDATE documents SET state = 'grave', seq = NULL, external_id = NULL
       WHERE workspace_id = ${caller.workspaceId} AND state = 'tombstone'`,
  ]);
}

describe("a page", () => {
  it("has the wire's shape, to the letter", async () => {
    await push([
      {
        id: "a-17",
        version: "3",
        title: 'Ebb "and" \u2028 flow',
        url: "https://example.org/a",
        date: "2026-06-14T08:59:00Z",
        metadata: { lang: "en", n: 1.5 },
        text: "The sea went out.\n",
      },
      { id: "a-04", version: "9", deleted: true },
    ]);
    const first = await api.get("/changes?limit=1&text=true");
    const [document] = await t.db.document.findMany({
      where: { workspaceId: caller.workspaceId, externalId: "a-17" },
    });
    expect(first.body).toEqual({
      changes: [
        {
          seq: String(document?.seq),
          op: "upsert",
          sourceId: feed.sourceId,
          feedId: feed.id,
          documentId: document?.id,
          externalId: "a-17",
          version: "3",
          changedAt: document?.changedAt.toISOString(),
          document: {
            title: 'Ebb "and" \u2028 flow',
            url: "https://example.org/a",
            author: null,
            date: "2026-06-14T08:59:00.000Z",
            metadata: { lang: "en", n: 1.5 },
            text: "The sea went out.\n",
          },
        },
      ],
      cursor: expect.any(String),
      hasMore: false, // the tombstone is older than the walk
    });
    expect(first.headers.get("cache-control")).toBe("no-store");
    const { body } = await api.get("/changes");
    expect(body.changes[0].document).not.toHaveProperty("text");
  });

  it("pages in order with hasMore, each key once, and ends where a new push goes on", async () => {
    await push(Array.from({ length: 7 }, (_, i) => ({ id: `d${i}` })));
    await push([{ id: "d1", title: "changed" }]);
    const { changes, cursor } = await walk("/changes?limit=2");
    expect(changes.map((change) => change.externalId)).toEqual(["d0", "d2", "d3", "d4", "d5", "d6", "d1"]);
    expect((await api.get(`/changes?cursor=${cursor}`)).body).toEqual({
      changes: [],
      cursor,
      hasMore: false,
    });
    await push([{ id: "d3", deleted: true }, { id: "new" }]);
    const next = await walk("/changes?limit=1", cursor);
    expect(next.changes.map((change) => [change.op, change.externalId])).toEqual([
      ["delete", "d3"],
      ["upsert", "new"],
    ]);
    expect(next.changes[0]?.document).toBeNull();
  });

  it("sends a first walk the deletes of after its start, not those of before", async () => {
    await push([{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }]);
    await push([{ id: "b", deleted: true }]);
    const first = (await api.get("/changes?limit=1")).body;
    expect(idsOf(first)).toEqual(["a"]);
    await push([
      { id: "a", deleted: true },
      { id: "d", deleted: true },
    ]);
    const { changes } = await walk("/changes?limit=1", first.cursor);
    expect(changes.map((change) => [change.op, change.externalId])).toEqual([
      ["upsert", "c"],
      ["delete", "a"],
      ["delete", "d"],
    ]);
  });

  it("ends early rather than outgrow its bytes", async () => {
    const text = "x".repeat(1_000_000);
    await push(["a", "b", "c", "d", "e"].map((id) => ({ id: `1${id}`, text })));
    await push(["a", "b", "c", "d", "e"].map((id) => ({ id: `2${id}`, text })));
    const { body } = await api.get("/changes?limit=1000&text=true");
    expect(body).toMatchObject({ hasMore: true });
    expect(body.changes).toHaveLength(9);
    const { changes } = await walk("/changes?limit=1000&text=true");
    expect(changes.map((change) => change.document?.text?.length)).toEqual(Array(10).fill(1_000_000));
    expect((await api.get("/changes?limit=1000")).body.hasMore).toBe(false);
  });

  it("is the same behind a transaction pooler, where nothing is prepared", async () => {
    await push([{ id: "a", metadata: { n: 1 }, text: "x" }, { id: "b" }]);
    // A wrapped client has no pool of its own, as behind a pooler.
    const pooled = await RestClient.create(countingDb(t.db).db, caller);
    for (const query of ["limit=1&text=true", "cursor=now", `feedId=${feed.id}`]) {
      expect((await pooled.get(`/changes?${query}`)).body).toEqual((await api.get(`/changes?${query}`)).body);
    }
  });

  it("begins at the head with cursor=now", async () => {
    await push([{ id: "a" }]);
    const { body } = await api.get("/changes?cursor=now");
    expect(body).toMatchObject({ changes: [], hasMore: false });
    await push([{ id: "b" }]);
    expect(idsOf((await api.get(`/changes?cursor=${body.cursor}`)).body)).toEqual(["b"]);
  });

  it("says where the feed stands", async () => {
    const empty = await api.get("/changes/head");
    expect(empty.body).toMatchObject({ head: "0", safePoint: "0", horizon: "0" });
    await push([{ id: "a" }]);
    const { body } = await api.get("/changes/head");
    expect(BigInt(body.head)).toBeGreaterThan(0n);
    expect(body.safePoint).toBe(body.head);
    expect((await api.get(`/changes?cursor=${body.cursor}`)).body.changes).toEqual([]);
  });
});

describe("a filter", () => {
  it("by feed and by source sends theirs alone, and moves on over the rest", async () => {
    const other = await createFeed(t.db, caller);
    await push([{ id: "a" }]);
    await push([{ id: "x" }], other.id);
    await push([{ id: "b" }]);
    expect(idsOf(await walk(`/changes?limit=1&feedId=${feed.id}`))).toEqual(["a", "b"]);
    expect(idsOf(await walk(`/changes?sourceId=${other.sourceId}`))).toEqual(["x"]);
    expect(idsOf(await walk(`/changes?sourceId=${feed.sourceId}&feedId=${feed.id}`))).toEqual(["a", "b"]);
    const { cursor } = await walk(`/changes?feedId=${other.id}`);
    const place = openCursor(cursor, caller.workspaceId, { feedId: other.id });
    const head = (await api.get("/changes/head")).body;
    expect(String(place.seq)).toBe(head.safePoint);
  });

  it("is bound into the cursor; what else may be asked for is not", async () => {
    await push([{ id: "a" }]);
    const { cursor } = await walk(`/changes?feedId=${feed.id}`);
    for (const query of ["", `&sourceId=${feed.sourceId}`, `&feedId=${newId("feed")}`]) {
      const { status, body } = await api.get(`/changes?cursor=${cursor}${query}`);
      expect([status, body.code]).toEqual([400, "cursor_filter_mismatch"]);
    }
    const same = `/changes?cursor=${cursor}&feedId=${feed.id}`;
    expect((await api.get(`${same}&limit=5&text=true&consumer=me`)).status).toBe(200);
  });

  it("that names nothing is 404, a deleted feed's stays good until its tombstones are purged", async () => {
    await push([{ id: "a" }]);
    const query = `feedId=${feed.id}`;
    const { cursor } = await walk(`/changes?${query}`);
    await deleteFeed(t.db, caller, { feedId: feed.id });
    const { changes } = await walk(`/changes?${query}`, cursor);
    expect(changes.map((change) => [change.op, change.externalId])).toEqual([["delete", "a"]]);
    expect((await api.get(`/changes?${query}`)).status).toBe(200);
    await purgeTombstones();
    expect((await api.get(`/changes?${query}`)).body.code).toBe("feed_not_found");
    expect((await api.get(`/changes?sourceId=${newId("src")}`)).status).toBe(404);
    const foreign = await createFeed(t.db, await createCaller(t.db));
    expect((await api.get(`/changes?feedId=${foreign.id}`)).body.code).toBe("feed_not_found");
  });
});

describe("a cursor is refused", () => {
  it("when any of its characters was changed, when it was cut or has more", async () => {
    await push([{ id: "a" }]);
    const { cursor } = await walk("/changes");
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const open = (text: string) => () => openCursor(text, caller.workspaceId, {});
    for (let at = 0; at < cursor.length; at += 1) {
      for (const character of `${alphabet}=+/ .é`) {
        if (character === cursor[at]) continue;
        const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
        expect(open(changed), changed).toThrow(expect.objectContaining({ code: "cursor_invalid" }));
      }
    }
    for (const text of [
      "",
      "x",
      "x".repeat(3000),
      `${cursor}A`,
      `${cursor}=`,
      cursor.slice(1),
      cursor.slice(0, -1),
      "NOW",
    ]) {
      const { status, body, headers } = await api.get(`/changes?cursor=${text}`);
      expect([status, body.code, headers.get("cache-control")], text).toEqual([
        400,
        "cursor_invalid",
        "no-store",
      ]);
    }
  });

  it("in another workspace", async () => {
    await push([{ id: "a" }]);
    const { cursor } = await walk("/changes");
    const stranger = await RestClient.create(t.db, await createCaller(t.db));
    const { status, body } = await stranger.get(`/changes?cursor=${cursor}`);
    expect([status, body.code]).toEqual([400, "cursor_invalid"]);
  });

  it("as expired when purge went past it, though not in the middle of a first walk", async () => {
    await push([{ id: "a" }, { id: "b" }, { id: "c" }]);
    const early = (await api.get("/changes?cursor=now")).body.cursor;
    await push([{ id: "d" }]);
    const half = (await api.get("/changes?limit=1")).body.cursor;
    await push([{ id: "d", deleted: true }]);
    const late = (await api.get("/changes?cursor=now")).body.cursor;
    const began = (await api.get("/changes?limit=1")).body.cursor;
    await purgeTombstones();

    for (const cursor of [early, half]) {
      const { status, body, headers } = await api.get(`/changes?cursor=${cursor}`);
      expect(status).toBe(410);
      expect(body).toMatchObject({ code: "cursor_expired", reason: "horizon", restart: "/api/v1/changes" });
      expect(headers.get("cache-control")).toBe("no-store");
    }
    expect((await api.get(`/changes?cursor=${late}`)).body.changes).toEqual([]);
    // `began` started at a safe point that the horizon has not passed.
    expect(idsOf(await walk("/changes?limit=1", began))).toEqual(["b", "c"]);
    // A new walk, with nothing above the horizon, ends on it and not below.
    const { cursor } = await walk("/changes");
    expect((await api.get(`/changes?cursor=${cursor}`)).status).toBe(200);
  });

  it("but not in a first walk of ten pages during which purge moves the horizon", async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `d${i}`);
    await push(ids.map((id) => ({ id })));
    await push(["d3", "d19"].map((id) => ({ id, deleted: true })));
    await push([{ id: "last" }]);
    const first = (await api.get("/changes?limit=2")).body;
    await purgeTombstones();
    const horizon = BigInt((await api.get("/changes/head")).body.horizon);
    expect(openCursor(first.cursor, caller.workspaceId, {}).seq).toBeLessThan(horizon);
    const rest = await walk("/changes?limit=2", first.cursor);
    const walked = [...first.changes, ...rest.changes].map((change: Change) => change.externalId);
    expect(walked).toEqual([...ids.filter((id) => id !== "d3" && id !== "d19"), "last"]);
  });

  it("as expired by another epoch, or signed with a key that is no longer known", async () => {
    await push([{ id: "a" }]);
    const { cursor } = await walk("/changes");
    const before = (await api.get("/changes/head")).body.epoch;
    await changeEpoch(t.db, { from: before, why: "test" });
    await changeEpoch(t.db, { from: before, why: "a rival that comes too late" });
    const head = (await api.get("/changes/head")).body;
    expect(head.epoch).not.toBe(before);
    const { status, body } = await api.get(`/changes?cursor=${cursor}`);
    expect([status, body.code, body.reason]).toEqual([410, "cursor_expired", "epoch"]);
    await expect(api.get(`/changes?cursor=${head.cursor}`)).resolves.toMatchObject({ status: 200 });
  });

  it("as proof of a rewind when it is ahead of the log, which begins a new epoch", async () => {
    await push([{ id: "a" }]);
    const { epoch, head } = (await api.get("/changes/head")).body;
    const scope = { workspaceId: caller.workspaceId, epoch, filter: {} };
    const ahead = encodeCursor(scope, { seq: BigInt(head) + 1_000_000n, snapshotBound: null });
    const { status, body } = await api.get(`/changes?cursor=${ahead}`);
    expect([status, body.reason]).toEqual([410, "ahead"]);
    expect((await api.get("/changes/head")).body.epoch).not.toBe(epoch);
    expect((await api.get(`/changes?cursor=${ahead}`)).body.reason).toBe("epoch");
  });

  it.each([
    ["limit=0"],
    ["limit=1001"],
    ["limit=ten"],
    ["wait=56"],
    ["wait=-1"],
    ["text=1"],
    ["feedId=nonsense"],
    ["consumer="],
  ])("as is a request with %s, 422", async (query) => {
    const { status, body, headers } = await api.get(`/changes?${query}`);
    expect([status, body.code, headers.get("cache-control")]).toEqual([422, "invalid_request", "no-store"]);
  });

  it("like anybody without access or the scope, never cacheable", async () => {
    const anonymous = await new RestClient(t.db, null).get("/changes");
    expect([anonymous.status, anonymous.headers.get("cache-control")]).toEqual([401, "no-store"]);
    const other = await (await RestClient.create(t.db, caller, ["documents:read"])).get("/changes");
    expect([other.status, other.headers.get("cache-control")]).toEqual([403, "no-store"]);
  });
});

describe("what was purged (F18)", () => {
  it("stays deleted when an old page sends it again, and comes back with a newer version only", async () => {
    await push([{ id: "x", version: "3", title: "old" }, { id: "y" }]);
    const early = (await api.get("/changes?cursor=now")).body.cursor;
    await push([{ id: "x", version: "9", deleted: true }]);
    const { changes, cursor } = await walk("/changes?limit=1", early);
    expect(changes.map((change) => change.op)).toEqual(["delete"]);
    await purgeTombstones();

    const again = await push([{ id: "x", version: "3", title: "old" }]);
    expect(again.body).toMatchObject({ documentsSkipped: 1, documentsIndexed: 0 });
    expect((await api.get(`/changes?cursor=${cursor}`)).body.changes).toEqual([]);
    expect(idsOf(await walk("/changes"))).toEqual(["y"]);
    expect((await api.get(`/changes?cursor=${early}`)).body).toMatchObject({ reason: "horizon" });

    await push([{ id: "x", version: "10", title: "new" }]);
    const [revived] = (await api.get(`/changes?cursor=${cursor}`)).body.changes;
    expect(revived).toMatchObject({
      op: "upsert",
      externalId: "x",
      version: "10",
      document: { title: "new" },
    });
  });
});

describe("the cluster's identity", () => {
  it.each([
    ["system_identifier", "7000000000000000001"],
    ["timeline", "0000FFFF"],
  ])("of another %s begins a new epoch before anything is served", async (column, value) => {
    await push([{ id: "a" }]);
    const { epoch, cursor } = (await api.get("/changes/head")).body;
    await t.db.$executeRawUnsafe(`UPDATE instance SET ${column} = '${value}'`);
    const answers = await Promise.all([1, 2, 3].map(() => api.get(`/changes?cursor=${cursor}`)));
    expect(answers.map(({ status, body }) => [status, body.reason])).toEqual(Array(3).fill([410, "epoch"]));
    const after = (await api.get("/changes/head")).body.epoch;
    expect(after).not.toBe(epoch);
    expect((await api.get("/changes/head")).body.epoch).toBe(after);
  });

  it("is filled in where it was not known, without a new epoch", async () => {
    const { epoch } = (await api.get("/changes/head")).body;
    await t.db.instance.update({ where: { id: 1 }, data: { systemIdentifier: null, timeline: null } });
    expect((await api.get("/changes/head")).body.epoch).toBe(epoch);
    const row = await t.db.instance.findUniqueOrThrow({ where: { id: 1 } });
    expect(row.systemIdentifier).toMatch(/^\d{15,}$/);
    expect(row.timeline).toMatch(/^[0-9A-F]{8}$/);
  });
});

describe("a consumer", () => {
  it("is listed with the position it presented, lag and distance to the horizon", async () => {
    await push([{ id: "a" }, { id: "b" }]);
    const first = (await api.get("/changes?limit=1&consumer=mirror")).body;
    const read = () =>
      t.db.consumer.findUniqueOrThrow({
        where: { workspaceId_name: { workspaceId: caller.workspaceId, name: "mirror" } },
      });
    expect(await read()).toMatchObject({ position: 0n, actor: { type: "token", name: "test" } });
    // Within ten seconds nothing is written, however often it calls.
    await api.get(`/changes?cursor=${first.cursor}&consumer=mirror`);
    expect((await read()).position).toBe(0n);
  });
});
