import { beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { approveHeldDelete } from "@/server/ingest/sweep";
import { finishRun } from "@/server/runs/finish-run";
import { startRun } from "@/server/runs/start-run";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { browseHeldItems } from "./browse-held-items";
import { listMatchingRejections } from "./bulk-rejections";

const t = useDatabase();
let caller: Caller;
let feedId: string;

beforeEach(async () => {
  caller = await createCaller(t.db);
  feedId = (await createFeed(t.db, caller)).id;
});

describe("a held sweep's list", () => {
  const titles = Array.from({ length: 45 }, (_, i) => ({ id: `d${i}`, title: `Tide ${i}` }));

  async function hold(): Promise<string> {
    await ingestDocuments(t.db, caller, { feedId, documents: titles });
    const { runId } = await startRun(t.db, caller, {
      feedId,
      trigger: "api",
      executor: "api",
      listing: true,
    });
    await finishRun(t.db, caller, { runId, status: "succeeded", complete: true });
    const held = await t.db.heldDelete.findFirstOrThrow({ where: { feedId, status: "held" } });
    return held.id;
  }

  it("is whole, page by page in both directions, each document once", async () => {
    const holdId = await hold();
    const seen: string[] = [];
    let after: string | undefined;
    let last = await browseHeldItems(t.db, caller, { feedId, holdId, limit: 20 });
    for (;;) {
      seen.push(...last.items.map((item) => item.externalId ?? ""));
      if (!last.nextAfter) break;
      after = last.nextAfter;
      last = await browseHeldItems(t.db, caller, { feedId, holdId, limit: 20, after });
    }
    expect(seen.toSorted()).toEqual(titles.map(({ id }) => id).toSorted());
    const back = await browseHeldItems(t.db, caller, {
      feedId,
      holdId,
      limit: 20,
      before: last.prevBefore ?? "",
    });
    expect(back.items.map((item) => item.externalId)).toEqual(seen.slice(20, 40));
  });

  it("is searched by title and id, and says what approving would spare", async () => {
    const holdId = await hold();
    await ingestDocuments(t.db, caller, { feedId, documents: [{ id: "d7", title: "Tide 7, corrected" }] });
    const find = (q: string) => browseHeldItems(t.db, caller, { feedId, holdId, q });
    expect((await find("corrected")).items).toMatchObject([{ externalId: "d7", isSpared: true }]);
    expect((await find("TIDE 31")).items).toMatchObject([{ externalId: "d31", isSpared: false }]);
    expect((await find("100%")).items).toEqual([]);
  });

  it("is of its own workspace and feed, and gone once it was decided", async () => {
    const holdId = await hold();
    const other = await createCaller(t.db);
    await expect(browseHeldItems(t.db, other, { feedId, holdId })).rejects.toMatchObject({
      code: "feed_not_found",
    });
    const elsewhere = await createFeed(t.db, caller);
    const wrong = browseHeldItems(t.db, caller, { feedId: elsewhere.id, holdId });
    await expect(wrong).rejects.toMatchObject({ code: "not_found" });
    await approveHeldDelete(t.db, caller, { feedId, holdId });
    await expect(browseHeldItems(t.db, caller, { feedId, holdId })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("all rejected documents that match", () => {
  it("are named by the table's filters, of this workspace alone", async () => {
    const documents = [
      { id: "a", version: "no version" },
      { id: "b", version: "none either" },
      { id: "c", date: "yesterday" },
    ];
    await ingestDocuments(t.db, caller, { feedId, documents });
    const other = await createCaller(t.db);
    const find = (who: Caller, filters: Parameters<typeof listMatchingRejections>[2]) =>
      listMatchingRejections(t.db, who, filters);
    expect(await find(caller, {})).toMatchObject({ rejections: [{}, {}, {}], truncated: false });
    const versions = await find(caller, { feedId, code: "version_invalid" });
    expect(versions.rejections.map((item) => item.externalId).toSorted()).toEqual(["a", "b"]);
    expect((await find(caller, { q: "c" })).rejections.map((item) => item.externalId)).toContain("c");
    expect((await find(other, {})).rejections).toEqual([]);
  });
});
