import { describe, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { anAdapter, createSyncedFeed, runFeed, useUpstream } from "@/test/run-feed";
import { executeRun } from "./execute-run";
import { startRun } from "./start-run";

const t = useDatabase();
const upstream = useUpstream();

async function setUp(feed: Parameters<typeof createSyncedFeed>[2] = {}) {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createSyncedFeed(t.db, caller, feed);
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id: feedId } });
  return { caller, feedId, feedRow };
}

const docs = (...ids: string[]) => ids.map((id) => ({ id, title: id }));

describe("the record", () => {
  it("tells each upstream request with status, time and bytes, and the beginning of a failed answer", async () => {
    const { caller, feedId } = await setUp();
    upstream.answer = (request, response) => {
      response.statusCode = request.url?.startsWith("/bad") ? 500 : 200;
      response.end(request.url?.startsWith("/bad") ? `broken\0 ${"x".repeat(5000)}` : "fine");
    };
    const adapter = anAdapter(async ({ fetch }) => {
      await fetch(upstream.url("/good?api_key=s3cr3t-value"));
      await fetch(upstream.url("/bad"));
      return { documents: [] };
    });
    const run = await runFeed(t.db, caller, feedId, adapter);
    expect(run.requests).toBe(2);
    expect(Number(run.bytes)).toBeGreaterThan(5000);
    const events = await t.db.runEvent.findMany({
      where: { runId: run.id, kind: "request" },
      orderBy: { id: "asc" },
    });
    expect(events).toMatchObject([
      {
        level: "info",
        data: { status: 200, bytes: 4, method: "GET", url: expect.stringContaining("api_key=***") },
      },
      { level: "warn", data: { status: 500, bodySample: expect.stringMatching(/^broken x+$/) } },
    ]);
    const [, failed] = events.map(({ data }) => data as { bodySample?: string });
    expect(failed?.bodySample?.length).toBeLessThanOrEqual(2048);
    expect(JSON.stringify(events.map(({ message, data }) => [message, data]))).not.toContain("s3cr3t-value");
  });

  it("keeps the adapter's warnings, and the run a success", async () => {
    const { caller, feedId } = await setUp();
    const adapter = anAdapter(async ({ log }) => {
      log.warn("dates_guessed", "3 dates could not be read.");
      return { documents: docs("a") };
    });
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({
      status: "succeeded",
      warnings: [{ code: "dates_guessed", message: "3 dates could not be read." }],
    });
  });

  it("says so when there is no adapter for the source", async () => {
    const { caller, feedId } = await setUp();
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "manual", executor: "cloud" });
    await executeRun(t.db, { workspaceId: caller.workspaceId, runId }, { getAdapter: () => undefined });
    await expect(t.db.syncRun.findFirst({ where: { id: runId } })).resolves.toMatchObject({
      status: "failed",
      error: { origin: "adapter", code: "adapter_failed" },
    });
  });

  it("refuses a page that breaks the contract as the adapter's fault", async () => {
    const { caller, feedId, feedRow } = await setUp();
    const huge = anAdapter(async () => ({ documents: docs("a"), state: { blob: "x".repeat(70_000) } }));
    await expect(runFeed(t.db, caller, feedId, huge)).resolves.toMatchObject({
      status: "failed",
      created: 0,
      error: { origin: "adapter" },
    });
    await expect(feedRow()).resolves.toMatchObject({ adapterState: null });
  });

  it("beats while the adapter takes its time", async () => {
    const { caller, feedId } = await setUp();
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "manual", executor: "cloud" });
    const lease = () =>
      t.db.syncRun
        .findFirstOrThrow({ where: { id: runId } })
        .then((run) => run.leaseExpiresAt?.getTime() ?? 0);
    const adapter = anAdapter(async () => {
      const before = await lease();
      // Until a beat was seen; the test's own time limit ends it otherwise.
      while ((await lease()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
      return { documents: docs("a") };
    });
    const status = await executeRun(
      t.db,
      { workspaceId: caller.workspaceId, runId },
      { getAdapter: () => adapter, heartbeatMs: 20 },
    );
    expect(status).toBe("succeeded");
  });
});
