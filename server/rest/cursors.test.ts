import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { heldDeleteSchema, rejectionSchema, transitionSchema } from "./schemas";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

const push = (feedId: string, body: object) => api.post(`/feeds/${feedId}/documents`, body);
const ids = (count: number, prefix = "d") =>
  Array.from({ length: count }, (_, i) => ({ id: `${prefix}-${i}` }));

describe("cursor, rejections and held deletes", () => {
  it("resets after showing what it would do, refuses during a run, and lists every move", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: ids(2), cursor: "5" });
    await push(feed.id, { documents: [], cursor: "9" });
    const preview = await api.post(`/feeds/${feed.id}/reset`, { to: null, reason: "try", dryRun: true });
    expect(preview).toMatchObject({
      status: 200,
      body: { dryRun: true, from: "9", to: null, documentsKept: 2 },
    });
    expect((await api.get(`/feeds/${feed.id}`)).body.cursor).toBe("9");

    const run = (await api.post(`/feeds/${feed.id}/runs`)).body;
    expect(await api.post(`/feeds/${feed.id}/reset`, { to: null, reason: "now" })).toMatchObject({
      status: 409,
      body: { code: "run_active", runId: run.runId },
    });
    await api.post(`/runs/${run.runId}/finish`, { status: "cancelled" });
    const moves = (await api.get(`/feeds/${feed.id}/cursor-transitions`)).body.items;
    moves.map((move: unknown) => transitionSchema.parse(move));
    expect(moves.map((move: { to: string }) => move.to)).toEqual(["9", "5"]);
    expect(
      (await api.post(`/feeds/${feed.id}/reset`, { to: moves[1].id, reason: "back" })).body,
    ).toMatchObject({ to: "5" });
    expect((await api.get(`/feeds/${feed.id}/cursor-transitions?limit=1`)).body.items).toMatchObject([
      { from: "9", to: "5", outcome: "reset", reason: "back" },
    ]);
    for (const body of [{ to: null }, { to: null, reason: "  " }, { reason: "x" }, { to: 5, reason: "x" }]) {
      expect((await api.post(`/feeds/${feed.id}/reset`, body)).status).toBe(422);
    }
  });

  it("keeps rejections for inspection and takes them again", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: [{ id: "bad", version: "one" }, { id: "good" }] });
    const { items } = (await api.get(`/feeds/${feed.id}/rejections`)).body;
    expect(items).toMatchObject([
      { externalId: "bad", code: "version_invalid", payload: { id: "bad", version: "one" }, occurrences: 1 },
    ]);
    rejectionSchema.parse(items[0]);
    expect((await api.get(`/feeds/${feed.id}`)).body.rejections).toBe(1);
    const retry = `/feeds/${feed.id}/rejections/${items[0].id}/retry`;
    expect((await api.post(retry)).body).toMatchObject({
      created: 0,
      documentsRejected: [{ code: "version_invalid" }],
    });
    expect((await api.post(retry, { document: { id: "bad" } })).body).toMatchObject({ created: 1 });
    expect((await api.get(`/feeds/${feed.id}`)).body.rejections).toBe(0);
    expect((await api.post(retry)).status).toBe(404);
  });

  it("lets an admin approve or dismiss a held sweep", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "none" });
    await push(feed.id, { documents: ids(3) });
    const listNothing = async () => {
      const { runId } = (await api.post(`/feeds/${feed.id}/runs`)).body;
      return api.post(`/runs/${runId}/finish`, { status: "succeeded", complete: true });
    };
    await listNothing();
    const [hold] = (await api.get(`/feeds/${feed.id}/held-deletes`)).body.items;
    heldDeleteSchema.parse(hold);
    expect(hold).toMatchObject({ count: 3, sample: ["d-0", "d-1", "d-2"] });
    expect((await api.get(`/feeds/${feed.id}`)).body).toMatchObject({ heldDeletes: 1, documentCount: 3 });
    expect((await api.post(`/feeds/${feed.id}/held-deletes/${hold.id}/dismiss`)).status).toBe(204);
    expect((await api.post(`/feeds/${feed.id}/held-deletes/${hold.id}/approve`)).status).toBe(404);
    await listNothing();
    const [again] = (await api.get(`/feeds/${feed.id}/held-deletes`)).body.items;
    expect((await api.post(`/feeds/${feed.id}/held-deletes/${again.id}/approve`)).body).toEqual({
      deleted: 3,
      spared: 0,
    });
    expect((await api.get(`/feeds/${feed.id}`)).body.documentCount).toBe(0);
  });
});
