import { expect, it } from "vitest";
import { createDb, poolOf } from "@/server/db";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { ingestDocuments } from "./ingest-documents";
import { recentFeeds } from "./recent-feeds";
import { resetCursor } from "./reset-cursor";
import type { IngestInput } from "./schema";

const t = useDatabase();

/** A feed that this process has just pushed to, and another process's connection. */
async function pushOnce(first: Partial<IngestInput> = {}) {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(t.db, caller);
  const push = (input: Partial<IngestInput>, db = t.db) =>
    ingestDocuments(db, caller, { feedId, documents: [], ...input });
  await push({ cursor: "2026-06-14T09:00:00Z", documents: [{ id: "a", version: "1" }], ...first });
  const pool = poolOf(t.db);
  if (!pool) throw new Error("no pool");
  expect(recentFeeds(pool).recall(`${caller.workspaceId}/${feedId}`)).toBeDefined();
  return { caller, feedId, push };
}

async function inAnotherProcess(work: (db: ReturnType<typeof createDb>) => Promise<unknown>): Promise<void> {
  const db = createDb(t.url, 2);
  await work(db).finally(() => db.$disconnect());
}

it("keeps what another process stored meanwhile: the older cursor is kept back, and the conflict told", async () => {
  const { push } = await pushOnce();
  await inAnotherProcess((db) => push({ cursor: "2026-06-20T00:00:00Z" }, db));
  const answer = await push({ cursor: "2026-06-15T00:00:00Z", cursorBefore: "2026-06-14T09:00:00Z" });
  expect(answer).toMatchObject({ cursor: "2026-06-20T00:00:00Z", cursorOutcome: "kept", conflict: true });
});

it("takes a cursor that was refused before a reset changed what the feed's cursors are", async () => {
  const { caller, feedId, push } = await pushOnce();
  await inAnotherProcess(async (db) => {
    await resetCursor(db, caller, { feedId, to: null, reason: "test" });
    await db.feed.updateMany({ where: { id: feedId }, data: { watermark: "token" } });
  });
  await expect(push({ cursor: "opaque!" })).resolves.toMatchObject({
    cursorOutcome: "advanced",
    cursor: "opaque!",
  });
});

it("rejects an item whose version fits only what the feed was", async () => {
  const { feedId, push } = await pushOnce();
  await inAnotherProcess((db) =>
    db.feed.updateMany({ where: { id: feedId }, data: { versionKind: "timestamp" } }),
  );
  const { documentsRejected } = await push({ documents: [{ id: "b", version: "2" }] });
  expect(documentsRejected).toEqual([expect.objectContaining({ code: "version_kind_mismatch" })]);
});

it("refuses a feed that was disabled or deleted meanwhile", async () => {
  const disabled = await pushOnce();
  await inAnotherProcess((db) =>
    db.feed.updateMany({ where: { id: disabled.feedId }, data: { state: "disabled" } }),
  );
  await expect(disabled.push({})).rejects.toMatchObject({ code: "feed_disabled" });

  const deleted = await pushOnce();
  await inAnotherProcess((db) => deleteFeed(db, deleted.caller, deleted));
  await expect(deleted.push({})).rejects.toMatchObject({ code: "feed_not_found" });
});

it("counts a document once however often two processes push it by turns", async () => {
  const { feedId, push } = await pushOnce();
  for (const version of ["2", "3", "4"]) {
    await inAnotherProcess((db) =>
      push(
        {
          documents: [
            { id: "a", version },
            { id: version, version },
          ],
        },
        db,
      ),
    );
    await push({ documents: [{ id: "a", version }] });
  }
  await expect(t.db.feed.findFirstOrThrow({ where: { id: feedId } })).resolves.toMatchObject({
    documentCount: 4,
  });
});
