import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { getDocumentStory } from "@/server/documents/get-document-story";
import { newId } from "@/server/ids";
import { getRunProgress } from "@/server/runs/get-run-progress";
import { startRun } from "@/server/runs/start-run";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { ingestDocuments } from "./ingest-documents";
import { resetCursor } from "./reset-cursor";

const t = useDatabase();
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(t.db);
});

const push = (feedId: string, cursor: string, id = cursor) =>
  ingestDocuments(t.db, caller, { feedId, documents: [{ id }], cursor });
const storedCursor = async (id: string) =>
  (await t.db.feed.findFirstOrThrow({ where: { id }, select: { cursor: true } })).cursor;

describe("rewinding to before a run", () => {
  it("puts the cursor where that run found it, after a dry run that changes nothing", async () => {
    const { id: feedId } = await createFeed(t.db, caller);
    const first = await push(feedId, "5");
    const second = await push(feedId, "7");
    await push(feedId, "9");
    const rewind = (runId: string, dryRun: boolean) =>
      resetCursor(t.db, caller, { feedId, to: { beforeRun: runId }, reason: "bad page", dryRun });

    expect(await rewind(second.runId, true)).toMatchObject({ from: "9", to: "5", transitionId: null });
    expect(await storedCursor(feedId)).toBe("9");
    expect(await rewind(second.runId, false)).toMatchObject({ to: "5" });
    expect(await storedCursor(feedId)).toBe("5");
    expect(await rewind(first.runId, false)).toMatchObject({ from: "5", to: null });
    expect(await storedCursor(feedId)).toBeNull();
  });

  it("knows where a run of many pages began", async () => {
    const { id: feedId } = await createFeed(t.db, caller, { watermark: "idSet", cursor: "3" });
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "api", executor: "api" });
    await ingestDocuments(t.db, caller, { feedId, runId, documents: [{ id: "a" }], cursor: "4" });
    await ingestDocuments(t.db, caller, { feedId, runId, documents: [{ id: "b" }], cursor: "6" });
    await expect(
      resetCursor(t.db, caller, { feedId, to: { beforeRun: runId }, reason: "x" }),
    ).rejects.toMatchObject({ code: "run_active" });
    await t.db.syncRun.updateMany({ where: { id: runId }, data: { status: "succeeded" } });
    expect(await resetCursor(t.db, caller, { feedId, to: { beforeRun: runId }, reason: "x" })).toMatchObject({
      to: "3",
    });
  });

  it("takes no run of another feed or of nobody", async () => {
    const { id: feedId } = await createFeed(t.db, caller);
    const other = await createFeed(t.db, caller);
    const { runId } = await push(other.id, "5");
    for (const beforeRun of [runId, newId("run")]) {
      await expect(
        resetCursor(t.db, caller, { feedId, to: { beforeRun }, reason: "x" }),
      ).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("a document's story", () => {
  it("names the run that wrote it and what that did to the cursor", async () => {
    const { id: feedId } = await createFeed(t.db, caller);
    const { runId } = await push(feedId, "5");
    const { id: documentId } = await t.db.document.findFirstOrThrow({ where: { feedId } });
    expect(await getDocumentStory(t.db, caller, { documentId })).toMatchObject({
      externalId: "5",
      feedName: "default",
      sourceName: "Test source",
      lastRun: { id: runId, created: 1 },
      transitions: [{ from: null, to: "5", outcome: "advanced" }],
    });
    await t.db.syncRun.deleteMany({ where: { id: runId } });
    expect(await getDocumentStory(t.db, caller, { documentId })).toMatchObject({ lastRun: null });
  });
});

describe("a run's progress", () => {
  it("counts, measures, and expects what the last listing brought", async () => {
    const { id: feedId } = await createFeed(t.db, caller);
    const earlier = await startRun(t.db, caller, { feedId, trigger: "api", executor: "api" });
    await t.db.syncRun.updateMany({
      where: { id: earlier.runId },
      data: { status: "succeeded", created: 40, finishedAt: new Date() },
    });
    const { runId } = await startRun(t.db, caller, {
      feedId,
      trigger: "api",
      executor: "api",
      listing: true,
    });
    await ingestDocuments(t.db, caller, { feedId, runId, documents: [{ id: "a" }, { id: "b" }, { id: "" }] });
    await t.db.syncRun.updateMany({
      where: { id: runId },
      data: { startedAt: new Date(Date.now() - 10_000) },
    });
    const { progress } = await getRunProgress(t.db, caller, { runId });
    expect(progress).toMatchObject({ pages: 1, documents: 3, expectedDocuments: 40 });
    expect(progress.seconds).toBeGreaterThanOrEqual(10);
    expect(progress.documentsPerSecond).toBeCloseTo(0.3, 1);
    expect(progress.secondsLeft).toBeGreaterThan(100);
  });
});
