import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import type { ChangeRow } from "@/server/changes/change-json";
import { openChangeStream } from "@/server/changes/stream-changes";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { metrics } from "./metrics";
import { notePull } from "./note-pull";

const t = useDatabase();
let caller: Caller;
let api: RestClient;
let feedId: string;
beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
  feedId = (await createFeed(t.db, caller)).id;
});
beforeEach(() => {
  metrics().pulls.reset();
  metrics().cursorAge.reset();
  metrics().cursorsExpired.reset();
});

const DAY = 86_400;

/** All ages so far: how many, and their sum in seconds. */
async function ages() {
  const { values } = await metrics().cursorAge.get();
  const of = (end: string) => values.find(({ metricName }) => metricName?.endsWith(end))?.value;
  return { count: of("_count") ?? 0, sum: of("_sum") ?? 0 };
}

async function pullsFrom(from: string): Promise<number> {
  const { values } = await metrics().pulls.get();
  return values.find(({ labels }) => labels.from === from)?.value ?? 0;
}

const push = (...ids: string[]) =>
  api.post(`/feeds/${feedId}/documents`, {
    documents: ids.map((id) => ({ id, text: `${id} ${Date.now()}` })),
  });
const age = (id: string, seconds: number) =>
  t.db.$executeRaw`UPDATE documents SET changed_at = now() - make_interval(secs => ${seconds}::int)
                    WHERE feed_id = ${feedId} AND external_id = ${id}`;

describe("the age of a presented cursor", () => {
  it("is that of the oldest change it lacks, and 0 when it has all", async () => {
    await push("a", "b");
    const { cursor } = (await api.get("/changes/head")).body;
    await api.get(`/changes?cursor=${cursor}`);
    expect(await ages()).toEqual({ count: 1, sum: 0 });

    await push("c", "d");
    await age("c", 3 * DAY);
    await api.get(`/changes?cursor=${cursor}`);
    const { count, sum } = await ages();
    expect(count).toBe(2);
    expect(sum).toBeGreaterThanOrEqual(3 * DAY);
    expect(sum).toBeLessThan(3 * DAY + 60);
  });

  it("is taken before anything is waited for: who waits up to date is up to date", async () => {
    const { cursor } = (await api.get("/changes/head")).body;
    const waiting = api.get(`/changes?cursor=${cursor}&wait=20`);
    await expect.poll(async () => (await ages()).count).toBe(1);
    await push("e");
    await age("e", DAY);
    expect((await waiting).body.changes).toHaveLength(1);
    expect(await ages()).toEqual({ count: 1, sum: 0 });
  });

  it("is not measured on a first walk, whose documents are as old as they are", async () => {
    await push("f", "g", "h");
    await age("f", 300 * DAY);
    let page = (await api.get("/changes?limit=1")).body;
    while (page.hasMore) page = (await api.get(`/changes?limit=1&cursor=${page.cursor}`)).body;
    expect(await ages()).toEqual({ count: 0, sum: 0 });
    expect(await pullsFrom("beginning")).toBe(1);
    expect(await pullsFrom("first_walk")).toBeGreaterThan(1);
    await api.get(`/changes?cursor=${page.cursor}`);
    expect((await ages()).count).toBe(1);
    await api.get("/changes?cursor=now");
    expect(await pullsFrom("now")).toBe(1);
  });

  it("is measured once for a stream, at its beginning", async () => {
    const { cursor } = (await api.get("/changes/head")).body;
    const principal = {
      caller,
      scopes: new Set(["changes:read"] as const),
      role: null,
      userId: null,
      tokenId: "tok_x",
    };
    const stream = await openChangeStream(t.db, principal, caller, { cursor });
    expect(await ages()).toEqual({ count: 1, sum: 0 });
    await stream.cancel();
  });

  it("is that of the oldest change, and none where this clock is behind the database's", async () => {
    const [rowA, rowB] = ["2026-06-14 09:00:00+00", "2026-06-14 09:00:05.5+00"].map(changeAt);
    const now = Date.parse("2026-06-14T09:00:07.000Z");
    const place = { at: "cursor", seq: 1n, snapshotBound: null, isOfEpoch: () => true } as const;
    notePull(place, { rows: [rowA, rowB] as ChangeRow[] }, now);
    expect(await ages()).toEqual({ count: 1, sum: 7 });
    notePull(place, { rows: [rowA] as ChangeRow[] }, now - 60_000);
    expect(await ages()).toEqual({ count: 2, sum: 7 });
  });
});

/** A delete, as read_changes() answers it. */
function changeAt(changedAt: string): ChangeRow {
  const nothing = [null, null, null, null, null, null] as const;
  return [null, "1", "tombstone", "src_a", "feed_a", "doc_a", "a", null, changedAt, ...nothing];
}

it("counts cursors that have expired, by the reason", async () => {
  const { cursor } = (await api.get("/changes/head")).body;
  await t.db.instance.updateMany({ data: { epoch: "another" } });
  expect((await api.get(`/changes?cursor=${cursor}`)).status).toBe(410);
  const stream = await api.get(`/changes/stream?cursor=${cursor}`);
  expect(stream.body).toContain("event: expired");
  const { values } = await metrics().cursorsExpired.get();
  expect(values).toEqual([{ labels: { reason: "epoch" }, value: 2 }]);
});
