import { expect, it } from "vitest";
import { waitForRun } from "@/server/runs/request-sync";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { anAdapter, createSyncedFeed } from "@/test/run-feed";
import { startScheduler, stopScheduler } from "./scheduler";
import { createWorker } from "./worker";

const t = useDatabase();

it("runs what is due by itself; stopping ends the run as partial, so that another process goes on at once", async () => {
  const caller = await createCaller(t.db);
  const feed = await createSyncedFeed(t.db, caller, { watermark: "idSet" });
  await t.db.feed.updateMany({ where: { id: feed.id }, data: { nextSyncAt: new Date(Date.now() - 1_000) } });
  let began = () => {};
  const beginning = new Promise<void>((resolve) => {
    began = resolve;
  });
  const adapter = anAdapter(
    async function* ({ signal }) {
      yield { documents: [{ id: "a" }], cursor: { type: "idSet", high: "1", recent: [] } };
      began();
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
    { watermark: "idSet" },
  );
  startScheduler(t.db, createWorker(t.db, { adapters: [adapter] }));
  startScheduler(t.db, createWorker(t.db, { adapters: [adapter] })); // once per process
  await beginning;
  await stopScheduler();

  const runs = await t.db.syncRun.findMany({ where: { feedId: feed.id } });
  expect(runs).toMatchObject([
    { status: "partial", trigger: "schedule", cursorAfter: "1", error: { code: "shutdown" } },
  ]);
  await expect(waitForRun(t.db, caller, runs[0]?.id ?? "", 0)).resolves.toBe("partial");
  const row = await t.db.feed.findFirstOrThrow({ where: { id: feed.id } });
  expect(row.nextSyncAt?.getTime()).toBeLessThanOrEqual(Date.now());
  expect(row).toMatchObject({ consecutiveFailures: 0, error: null });
});
