import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Caller } from "@/server/actor";
import { waitersFor } from "@/server/changes/waiters";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { newId } from "@/server/ids";
import { reapRuns } from "@/server/runs/reap-runs";
import { createEndpoint } from "@/server/webhooks/create-endpoint";
import { testEndpoint } from "@/server/webhooks/test-endpoint";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { waitUntil } from "@/test/wait-until";
import { says, useReceiver } from "@/test/webhook-receiver";
import { answerMetrics } from "./answer-metrics";
import { metrics } from "./metrics";

process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.0/8";

const t = useDatabase();
const receiver = useReceiver();
let caller: Caller;
let api: RestClient;
beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});
/** The counters, not the gauges: each test begins at nothing. */
beforeEach(() => metrics().registry.resetMetrics());

const scrape = (token: string | null = api.token, query = "", getDb: () => Db = () => t.db) =>
  answerMetrics(
    new Request(`http://localhost/api/metrics${query}`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    }),
    getDb,
  );

/** The samples as they are printed: name with labels → value. */
async function samples(): Promise<Map<string, number>> {
  const lines = (await (await scrape()).text()).split("\n");
  return new Map(
    lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const at = line.lastIndexOf(" ");
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );
}

function openToAll(): void {
  env().TIDEMARK_METRICS = "public";
  onTestFinished(() => {
    env().TIDEMARK_METRICS = "private";
  });
}

describe("access", () => {
  it("is for tokens with `admin`: 401 without one, 403 that names the scope", async () => {
    const reader = await RestClient.create(t.db, caller, ["runs:read"]);
    const refused = [await scrape(null), await scrape("tdm_1_unknown"), await scrape(reader.token)];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 403]);
    expect(await refused[2]?.json()).toMatchObject({ code: "forbidden", missingScope: "admin" });
    const given = await scrape();
    expect(given.status).toBe(200);
    expect(given.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(given.headers.get("x-request-id")).toBeTruthy();
  });

  it("never comes from the query", async () => {
    expect((await scrape(null, `?token=${api.token}`)).status).toBe(401);
    openToAll();
    expect((await scrape(null, `?token=${api.token}`)).status).toBe(401);
  });

  it("is anybody's where TIDEMARK_METRICS says so", async () => {
    openToAll();
    expect((await scrape(null)).status).toBe(200);
  });
});

describe("what is told", () => {
  it("is in the format, of this product by its name, and names nobody", async () => {
    const feed = await createFeed(t.db, caller);
    await api.post(`/feeds/${feed.id}/documents`, { documents: [{ id: "a" }], cursor: "1" });
    await api.get(`/feeds/${feed.id}`);
    await api.get("/nowhere/src_01jz0000000000000000000000");
    const text = await (await scrape()).text();
    for (const line of text.split("\n").filter((line) => line !== "")) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|[a-z_]\w*(\{[^{}]*(\{\w+\}[^{}]*)*\})? ([-+\d.e]+|Nan))$/);
    }
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text, "ids would be labels without number").not.toMatch(/[a-z]{2,6}_[0-9a-z]{26}/);
    expect(text).toContain('tidemark_http_requests_total{route="none",method="GET",status="404"} 1');
    expect(text).toContain('route="/api/v1/feeds/{feedId}/documents",method="POST",status="200"} 1');
  });

  it("has a line in docs/metrics.md for every metric, and no other", async () => {
    const text = await readFile(join(import.meta.dirname, "../../docs/metrics.md"), "utf8");
    const told = [...text.matchAll(/^\| `(tidemark_\w+)(?:\{([\w, ]+)\})?` \|/gm)];
    const all = [metrics().registry, metrics().store].flatMap((registry) => registry.getMetricsAsArray());
    const labelsOf = (metric: unknown) => (metric as { labelNames: string[] }).labelNames.join(", ");
    const expected = all.filter(({ name }) => name.startsWith("tidemark_")).map((m) => [m.name, labelsOf(m)]);
    expect(told.map(([, name, labels = ""]) => [name, labels]).sort()).toEqual(expected.sort());
  });

  it("counts requests by route, method and status, and how long they took", async () => {
    await api.get("/sources?limit=0");
    await api.get("/sources");
    await api.request("PUT", "/sources");
    await new RestClient(t.db, null).get("/sources");
    const found = await samples();
    const route = 'route="/api/v1/sources"';
    expect(found.get(`tidemark_http_requests_total{${route},method="GET",status="422"}`)).toBe(1);
    expect(found.get(`tidemark_http_requests_total{${route},method="GET",status="200"}`)).toBe(1);
    expect(found.get(`tidemark_http_requests_total{${route},method="GET",status="401"}`)).toBe(1);
    expect(found.get(`tidemark_http_requests_total{${route},method="PUT",status="405"}`)).toBe(1);
    expect(found.get(`tidemark_http_request_duration_seconds_count{${route},method="GET"}`)).toBe(3);
  });

  it("counts documents by what became of them, and cursors", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "idSet" });
    const push = (body: object) => api.post(`/feeds/${feed.id}/documents`, body);
    await push({
      documents: [{ id: "a", version: "1" }, { id: "b", version: "1" }, { id: 1.5 }],
      cursor: "2",
    });
    await push({
      documents: [
        { id: "a", version: "2" },
        { id: "b", version: "1" },
      ],
      cursor: "1",
      cursorBefore: "9",
    });
    await push({ documents: [{ id: "a", version: "3", deleted: true }] });
    const found = await samples();
    const counted = (result: string) => found.get(`tidemark_documents_ingested_total{result="${result}"}`);
    expect(["created", "updated", "skipped", "deleted", "rejected"].map(counted)).toEqual([2, 1, 1, 1, 1]);
    expect(found.get('tidemark_ingest_calls_total{cursor="advanced",conflict="false"}')).toBe(1);
    expect(found.get('tidemark_ingest_calls_total{cursor="kept",conflict="true"}')).toBe(1);
    expect(found.get('tidemark_sync_runs_ended_total{status="succeeded",executor="api"}')).toBe(3);
  });

  it("counts each end of a run once: finished, abandoned, cancelled by a deletion", async () => {
    await t.db.syncRun.deleteMany({ where: { status: "running" } }); // other tests' runs
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => createFeed(t.db, caller)));
    const start = async (id = "") => (await api.post(`/feeds/${id}/runs`, {})).body.runId as string;
    const finished = await start(one?.id);
    await api.post(`/runs/${finished}/finish`, { status: "partial" });
    await api.post(`/runs/${finished}/finish`, { status: "partial" });
    const lose = (id: string) =>
      t.db.syncRun.updateMany({ where: { id }, data: { leaseExpiresAt: new Date(Date.now() - 60_000) } });
    await lose(await start(two?.id));
    const successor = await start(two?.id); // finds its lease gone, and does not wait for the reaper
    await lose(successor);
    await reapRuns(t.db);
    await start(three?.id);
    await api.delete(`/feeds/${three?.id}`);
    const found = await samples();
    const ended = (status: string) =>
      found.get(`tidemark_sync_runs_ended_total{status="${status}",executor="api"}`);
    expect(["partial", "abandoned", "cancelled", "failed"].map(ended)).toEqual([1, 2, 1, undefined]);
    expect(found.get('tidemark_sync_run_duration_seconds_count{executor="api"}')).toBe(1);
  });

  it("counts webhook attempts by their outcome", async () => {
    const endpoint = await createEndpoint(t.db, caller, { url: receiver.url, events: ["run.failed"] });
    await testEndpoint(t.db, caller, { webhookId: endpoint.id });
    receiver.answer(says(500));
    await testEndpoint(t.db, caller, { webhookId: endpoint.id });
    const found = await samples();
    expect(found.get('tidemark_webhook_attempts_total{outcome="delivered"}')).toBe(1);
    expect(found.get('tidemark_webhook_attempts_total{outcome="failed"}')).toBe(1);
  });

  it("shows who waits", async () => {
    const head = (await api.get("/changes/head")).body.cursor;
    const waiting = api.get(`/changes?cursor=${head}&wait=20`);
    await waitUntil(() => waitersFor(t.db).total() === 1, "somebody waits");
    expect((await samples()).get("tidemark_change_waiters")).toBe(1);
    const feed = await createFeed(t.db, caller);
    await api.post(`/feeds/${feed.id}/documents`, { documents: [{ id: "wake" }] });
    expect((await waiting).body.changes).toHaveLength(1);
    expect(waitersFor(t.db).total()).toBe(0);
  });
});

describe("the store's gauges", () => {
  it("are of the whole store: feeds by status, what is due, runs, deliveries", async () => {
    await t.db.workspace.deleteMany({ where: { id: { not: caller.workspaceId } } });
    await t.db.source.deleteMany();
    await t.db.syncRun.deleteMany();
    await t.db.webhookEndpoint.deleteMany();
    const other = await createCaller(t.db);
    const due = await createFeed(t.db, other, {}, { type: "rss", runsOn: "cloud" });
    await t.db.feed.update({
      where: { workspaceId_id: { workspaceId: other.workspaceId, id: due.id } },
      data: { nextSyncAt: new Date(Date.now() - 90_000), failingSince: new Date() },
    });
    const feed = await createFeed(t.db, caller);
    const { runId } = (await api.post(`/feeds/${feed.id}/runs`, {})).body;
    await t.db.syncRun.updateMany({ where: { id: runId }, data: { leaseExpiresAt: new Date(0) } });
    const endpoint = await createEndpoint(t.db, caller, { url: receiver.url, events: ["feed.paused"] });
    await t.db.webhookDelivery.create({
      data: {
        workspaceId: caller.workspaceId,
        id: newId("dlv"),
        endpointId: endpoint.id,
        type: "feed.paused",
        body: "{}",
        nextAttemptAt: new Date(Date.now() - 30_000),
        giveUpAt: new Date(Date.now() + 60_000),
      },
    });
    // The facts are remembered for seconds, by database client: another process's are fresh.
    const fresh = t.db.$extends({}) as unknown as Db;
    const text = await (await scrape(api.token, "", () => fresh)).text();
    const value = (name: string) =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")
          .at(-1),
      );
    expect(value("tidemark_database_up")).toBe(1);
    expect(value('tidemark_feeds{status="failing"}')).toBe(1);
    expect(value('tidemark_feeds{status="active"}')).toBe(1);
    expect(value('tidemark_feeds{status="disabled"}')).toBe(0);
    expect(value("tidemark_feeds_due")).toBe(1);
    expect(value("tidemark_feeds_overdue_seconds")).toBeGreaterThanOrEqual(89);
    expect(value('tidemark_sync_runs_active{status="running"}')).toBe(1);
    expect(value("tidemark_sync_runs_lease_expired")).toBe(1);
    expect(value("tidemark_webhook_deliveries_pending")).toBe(1);
    expect(value("tidemark_webhook_deliveries_overdue_seconds")).toBeGreaterThanOrEqual(29);
  });

  it("are left out without the database, which is said; a token cannot be believed then", async () => {
    const gone = new Proxy({} as Db, {
      get() {
        throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      },
    });
    openToAll();
    const answer = await scrape(null, "", () => gone);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain("tidemark_database_up 0");
    expect(text).not.toContain("tidemark_feeds");
    env().TIDEMARK_METRICS = "private";
    const stranger = await RestClient.create(t.db, caller, ["admin"]);
    expect((await scrape(stranger.token, "", () => gone)).status).toBe(503);
  });
});
