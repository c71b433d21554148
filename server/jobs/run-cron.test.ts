import { describe, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { anAdapter } from "@/test/run-feed";
import { answerCron } from "./answer-cron";
import { runMaintainCron, runSyncCron } from "./run-cron";

const t = useDatabase();

let types = 0;
async function createDueFeeds(count: number) {
  types += 1;
  const type = `cron-${types}`;
  const caller = await createCaller(t.db);
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const feed = await createFeed(
      t.db,
      caller,
      { watermark: "date", externalKey: `f${i}` },
      { type, runsOn: "cloud" },
    );
    ids.push(feed.id);
  }
  await t.db.feed.updateMany({
    where: { id: { in: ids } },
    data: { nextSyncAt: new Date(Date.now() - 1_000) },
  });
  return { caller, type, ids };
}

describe("the sync cron", () => {
  it("runs everything that is due, more than fits at once, and answers the sums", async () => {
    const { type, ids } = await createDueFeeds(9);
    const failing = new Set(ids.slice(0, 2));
    const adapter = anAdapter(
      async ({ feed }) => {
        if (failing.has(feed.id)) throw new Error("no");
        return { documents: [{ id: "a" }] };
      },
      { type },
    );
    const result = await runSyncCron(t.db, { adapters: [adapter], concurrency: 2 });
    expect(result).toEqual({
      claimed: 9,
      succeeded: 7,
      failed: 2,
      remaining: 0,
      elapsedMs: expect.any(Number),
    });
    await expect(t.db.syncRun.count({ where: { feedId: { in: ids } } })).resolves.toBe(9);
  });

  it("stops when its time is up: the run under way is partial, what is left is counted", async () => {
    const { type, ids } = await createDueFeeds(3);
    const slow = anAdapter(
      async ({ signal }) => {
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        return { documents: [] };
      },
      { type },
    );
    const result = await runSyncCron(t.db, { adapters: [slow], concurrency: 1, budgetMs: 2_300 });
    expect(result).toMatchObject({ claimed: 1, succeeded: 1, failed: 0, remaining: 2 });
    await expect(t.db.syncRun.findMany({ where: { feedId: { in: ids } } })).resolves.toMatchObject([
      { status: "partial" },
    ]);
  });

  it("has nothing to do when nothing is due", async () => {
    const adapter = anAdapter(async () => ({ documents: [] }), { type: "idle-type" });
    await expect(runSyncCron(t.db, { adapters: [adapter] })).resolves.toMatchObject({
      claimed: 0,
      remaining: 0,
    });
  });
});

describe("the maintenance cron", () => {
  it("does each task, and a failing one does not stop the others", async () => {
    const done: string[] = [];
    const tasks = [
      { name: "a", everyMs: 1, run: async () => void done.push("a") },
      { name: "b", everyMs: 1, run: () => Promise.reject(new Error("no")) },
      { name: "c", everyMs: 1, run: async () => void done.push("c") },
    ];
    await expect(runMaintainCron(t.db, { tasks })).resolves.toMatchObject({
      claimed: 3,
      succeeded: 2,
      failed: 1,
      remaining: 0,
    });
    expect(done).toEqual(["a", "c"]);
  });

  it("runs the real ones", async () => {
    await expect(runMaintainCron(t.db)).resolves.toMatchObject({ failed: 0, remaining: 0 });
  });
});

describe("a cron route", () => {
  const answer = { claimed: 0, succeeded: 0, failed: 0, remaining: 0, elapsedMs: 1 };
  const call = (authorization?: string) =>
    answerCron(
      new Request("http://localhost/api/cron/sync", { headers: authorization ? { authorization } : {} }),
      async () => answer,
    );

  it.each([
    undefined,
    "Bearer wrong",
    "Bearer ",
    "Basic dGVzdA==",
    "Bearer test-cron-secret-000",
    "test-cron-secret-0000",
  ])("answers 401 to %s", async (authorization) => {
    const response = await call(authorization);
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    await expect(response.json()).resolves.toMatchObject({
      status: 401,
      code: "unauthenticated",
      requestId: expect.any(String),
    });
  });

  it("lets in who carries the secret, and answers the sums", async () => {
    const response = await call("Bearer test-cron-secret-0000");
    expect(response.status).toBe(200);
    await expect(response.json()).resolves.toEqual(answer);
  });

  it("answers 500 without a stack when the work fails", async () => {
    const request = new Request("http://localhost/", {
      headers: { authorization: "Bearer test-cron-secret-0000" },
    });
    const response = await answerCron(request, () => Promise.reject(new Error("SELECT secret")));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("SELECT");
  });
});
