import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { workerFor } from "@/server/jobs/worker";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { syncedRunSchema } from "./schemas";

// Read at the first env(): the upstream of these tests is this very machine.
process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.0/8";

const t = useDatabase();
let caller: Caller;
let api: RestClient;
let upstream: Server;
let origin: string;
let status = 200;
let held: (() => void) | null = null;
let onRequest: (() => void) | null = null;

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    if (request.url === "/slow") {
      onRequest?.();
      await new Promise<void>((release) => {
        held = release;
      });
    }
    response.writeHead(status, { "content-type": "application/rss+xml" });
    response.end(
      `<rss version="2.0"><channel><title>Tides</title><link>${origin}</link><description/>
       <item><guid isPermaLink="false">1</guid><title>Ebb</title><description>Low</description></item></channel></rss>`,
    );
  });
  await new Promise<void>((listening) => upstream.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(async () => {
  held?.();
  await workerFor(t.db).stop();
  upstream.closeAllConnections();
  await new Promise((closed) => upstream.close(closed));
});
beforeEach(async () => {
  status = 200;
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

async function connect(path: string) {
  const { body } = await api.post("/sources", {
    type: "rss",
    name: "Tides",
    feeds: [{ externalKey: origin + path }],
  });
  return { sourceId: body.id as string, feedId: body.feeds[0].id as string };
}

describe("sync now", () => {
  it("answers 202 with the run at once, and with `wait` when it ended, with the run", async () => {
    const { feedId } = await connect("/feed");
    const waited = await api.post(`/feeds/${feedId}/sync?wait=30`);
    expect(waited.status).toBe(200);
    syncedRunSchema.parse(waited.body);
    expect(waited.body).toMatchObject({
      id: waited.body.runId,
      joined: false,
      status: "succeeded",
      trigger: "api",
      executor: "cloud",
      created: 1,
    });
    expect(waited.body.events.length).toBeGreaterThan(0);
    expect((await api.get(`/feeds/${feedId}`)).body).toMatchObject({
      displayName: "Tides",
      documentCount: 1,
      status: "active",
    });
    const at = await api.post(`/feeds/${feedId}/sync`);
    expect(at).toMatchObject({ status: 202, body: { runId: expect.stringMatching(/^run_/) } });
    for (const wait of ["-1", "56", "soon", ""])
      expect((await api.post(`/feeds/${feedId}/sync?wait=${wait}`)).status).toBe(422);
    await workerFor(t.db).idle();
  });

  it("joins a run in progress, and answers 202 when the time was too short", async () => {
    const { feedId, sourceId } = await connect("/slow");
    const asked = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const first = await api.post(`/feeds/${feedId}/sync`);
    await asked;
    const second = await api.post(`/feeds/${feedId}/sync?wait=1`);
    expect(second).toMatchObject({ status: 202, body: { runId: first.body.runId, joined: true } });
    const whole = await api.post(`/sources/${sourceId}/sync`);
    expect(whole).toMatchObject({
      status: 200,
      body: { id: sourceId, runs: [{ feedId, runId: first.body.runId, joined: true }] },
    });
    expect(await api.post(`/feeds/${feedId}/runs`)).toMatchObject({
      status: 409,
      body: { code: "run_active" },
    });
    held?.();
    await workerFor(t.db).idle();
    expect((await api.get(`/runs/${first.body.runId}`)).body.status).toBe("succeeded");
  });

  it("shows a failing upstream in words, without the secrets of its address (F43)", async () => {
    status = 503;
    const url = `${origin.replace("http://", "http://ada:pa55word@")}/feed?key=s3cr3t-value`;
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "Private",
      feeds: [{ externalKey: url }],
    });
    const feedId = body.feeds[0].id;
    const run = (await api.post(`/feeds/${feedId}/sync?wait=30`)).body;
    expect(run).toMatchObject({ status: "failed", error: { origin: "upstream", code: "unavailable" } });
    const feed = (await api.get(`/feeds/${feedId}`)).body;
    expect(feed).toMatchObject({ status: "failing", error: { code: "unavailable", retryable: true } });
    const source = (await api.get(`/sources/${body.id}`)).body;
    expect(source).toMatchObject({ status: "failing", problems: [{ feedId, status: "failing" }] });
    const everything = JSON.stringify(
      [run, feed, source, (await api.get("/runs")).body, await t.db.runEvent.findMany()],
      (_, value) => (typeof value === "bigint" ? String(value) : value),
    );
    expect(everything).not.toMatch(/pa55word|s3cr3t-value/);
  });
});
