import { describe, expect, it, vi } from "vitest";
import { finishRun } from "@/server/runs/finish-run";
import { startRun } from "@/server/runs/start-run";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { ingestDocuments } from "./ingest-documents";
import { approveHeldDelete, dismissHeldDelete, SWEEP_TIMEOUT_MS } from "./sweep";

const t = useDatabase();

/** A feed of `count` documents, ids d0, d1, …, each of version 1. */
async function setUp(count: number) {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(t.db, caller, { watermark: "none" });
  const push = async (ids: string[], runId?: string, version = "1") => {
    for (let i = 0; i < ids.length; i += 50) {
      const documents = ids.slice(i, i + 50).map((id) => ({ id, version, text: `v${version}` }));
      await ingestDocuments(t.db, caller, { feedId, documents, runId });
    }
  };
  const ids = Array.from({ length: count }, (_, i) => `d${i}`);
  await push(ids);
  const begin = () => startRun(t.db, caller, { feedId, trigger: "api", executor: "api" });
  const list = async (listed: string[], version = "1") => {
    const { runId } = await begin();
    await push(listed, runId, version);
    await finishRun(t.db, caller, { runId, status: "succeeded", complete: true });
    return runId;
  };
  const live = async () => {
    const rows = await t.db.document.findMany({
      where: { feedId, state: "live" },
      select: { externalId: true },
    });
    return rows.map((row) => row.externalId).sort();
  };
  const held = () => t.db.heldDelete.findFirst({ where: { feedId, status: "held" } });
  const count_ = async () => (await t.db.feed.findFirstOrThrow({ where: { id: feedId } })).documentCount;
  return { caller, feedId, ids, push, begin, list, live, held, documentCount: count_ };
}

describe("a complete listing", () => {
  it("tombstones what it did not bring, as an inference that an equal version undoes", async () => {
    const { ids, list, live, push, documentCount } = await setUp(30);
    await list(ids.slice(3));
    expect((await live()).length).toBe(27);
    expect(await documentCount()).toBe(27);
    await push(["d0"], undefined, "1");
    expect(await live()).toContain("d0");
  });

  it("counts rejected items as listed", async () => {
    const { caller, feedId, ids, begin, push, live } = await setUp(5);
    const { runId } = await begin();
    await push(ids.slice(1), runId);
    await ingestDocuments(t.db, caller, {
      feedId,
      runId,
      documents: [{ id: "d0", version: "2", date: "no date" }],
    });
    await finishRun(t.db, caller, { runId, status: "succeeded", complete: true });
    expect(await live()).toContain("d0");
  });

  it("spares what somebody else pushed while it ran, new or changed", async () => {
    const { ids, begin, push, live, caller } = await setUp(20);
    const { runId } = await begin();
    await push(ids.slice(3), runId);
    await push(["fresh"]);
    await push(["d0"], undefined, "2");
    await finishRun(t.db, caller, { runId, status: "succeeded", complete: true });
    expect(await live()).toEqual(["fresh", ...ids.filter((id) => id !== "d1" && id !== "d2")].sort());
  });

  it.each(["failed", "partial", "cancelled"] as const)(
    "deletes nothing when it ends as %s",
    async (status) => {
      const { ids, begin, push, live, caller } = await setUp(20);
      const { runId } = await begin();
      await push(ids.slice(1), runId);
      await finishRun(t.db, caller, { runId, status, complete: true });
      expect((await live()).length).toBe(20);
    },
  );
});

describe("the circuit breaker", () => {
  it("holds an empty listing, even of one document", async () => {
    const { list, live, held } = await setUp(1);
    await list([]);
    expect((await live()).length).toBe(1);
    expect(await held()).toMatchObject({ count: 1, sample: ["d0"] });
  });

  it("lets 10 of 12 go, and holds 11 of 14", async () => {
    const few = await setUp(12);
    await few.list(few.ids.slice(10));
    expect(await few.live()).toEqual(["d10", "d11"]);
    const many = await setUp(14);
    await many.list(many.ids.slice(11));
    expect((await many.live()).length).toBe(14);
    expect(await many.held()).toMatchObject({ count: 11 });
  });

  it("lets a fifth of many go, and holds one more", async () => {
    const fifth = await setUp(100);
    await fifth.list(fifth.ids.slice(20));
    expect((await fifth.live()).length).toBe(80);
    const more = await setUp(100);
    await more.list(more.ids.slice(21));
    expect((await more.live()).length).toBe(100);
  });
});

describe("a held delete", () => {
  it("is carried out on approval, sparing what changed since, and only once", async () => {
    const { caller, feedId, list, held, live, push, documentCount } = await setUp(20);
    await list([]);
    await push(["d7"], undefined, "2");
    const hold = await held();
    const target = { feedId, holdId: hold?.id ?? "" };
    const answers = await Promise.allSettled([
      approveHeldDelete(t.db, caller, target),
      approveHeldDelete(t.db, caller, target),
    ]);
    expect(answers.map((a) => a.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find((a) => a.status === "fulfilled")).toMatchObject({
      value: { deleted: 19, spared: 1 },
    });
    expect(await live()).toEqual(["d7"]);
    expect(await documentCount()).toBe(1);
  });

  it("is kept out for good when dismissed", async () => {
    const { caller, feedId, list, held, live } = await setUp(3);
    await list([]);
    const hold = await held();
    await dismissHeldDelete(t.db, caller, { feedId, holdId: hold?.id ?? "" });
    await expect(approveHeldDelete(t.db, caller, { feedId, holdId: hold?.id ?? "" })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await live()).length).toBe(3);
  });

  it("gives way to a later complete listing", async () => {
    const { caller, feedId, ids, list, held, live } = await setUp(20);
    await list([]);
    const first = await held();
    await list(ids.slice(1));
    expect(await held()).toBeNull();
    await expect(approveHeldDelete(t.db, caller, { feedId, holdId: first?.id ?? "" })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await live()).length).toBe(19);
  });

  it("leaves nothing of its list behind, whatever became of it", async () => {
    const { caller, feedId, list, held } = await setUp(20);
    const items = () => t.db.heldDeleteItem.count({ where: { workspaceId: caller.workspaceId } });
    for (let hour = 0; hour < 3; hour += 1) await list([]); // each replaces the one before
    expect(await items()).toBe(20);
    await dismissHeldDelete(t.db, caller, { feedId, holdId: (await held())?.id ?? "" });
    expect(await items()).toBe(0);
  });

  it("has the time that deleting any number of documents takes, like the sweep itself", async () => {
    const { caller, feedId, list, held } = await setUp(20);
    const transaction = vi.spyOn(t.db, "$transaction");
    const timeouts = () =>
      transaction.mock.calls.map(
        ([, options]) => (options as { timeout?: number } | undefined)?.timeout ?? 0,
      );
    await list([]);
    expect(Math.max(...timeouts())).toBe(SWEEP_TIMEOUT_MS);
    transaction.mockClear();
    await approveHeldDelete(t.db, caller, { feedId, holdId: (await held())?.id ?? "" });
    expect(timeouts()).toEqual([SWEEP_TIMEOUT_MS]);
    transaction.mockRestore();
  });

  it("of another workspace is not found", async () => {
    const { feedId, list, held } = await setUp(2);
    await list([]);
    const hold = await held();
    const stranger = await createCaller(t.db);
    await expect(approveHeldDelete(t.db, stranger, { feedId, holdId: hold?.id ?? "" })).rejects.toMatchObject(
      { code: "feed_not_found" },
    );
  });
});
