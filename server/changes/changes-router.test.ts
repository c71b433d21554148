import { beforeEach, expect, it } from "vitest";
import { type Principal, SCOPES } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { createCaller as createTrpcCaller } from "@/server/trpc/root";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";

const t = useDatabase();
let caller: Caller;

beforeEach(async () => {
  caller = await createCaller(t.db);
});

function trpc() {
  const principal: Principal = { caller, scopes: new Set(SCOPES), role: null, userId: null, tokenId: null };
  return createTrpcCaller({
    db: t.db,
    principal,
    requestId: "req_test",
    peer: { isLocal: true, address: "127.0.0.1" },
  });
}

it("tells the page where the feed stands and who follows it", async () => {
  const feed = await createFeed(t.db, caller);
  await ingestDocuments(t.db, caller, { feedId: feed.id, documents: [{ id: "a", text: "x" }, { id: "b" }] });
  const api = trpc();
  const status = await api.changes.status();
  expect(status).toMatchObject({ horizon: "0", waiters: 0, retentionDays: 30, maxWaiters: 2000 });
  expect(status.safePoint).toBe(status.head);
  await expect(api.changes.head()).resolves.toMatchObject({ head: status.head, epoch: status.epoch });
  const page = await api.changes.pull({ text: true });
  expect(page.changes.map((change) => change.document?.text)).toEqual(["x", null]);
  expect(page.hasMore).toBe(false);
  await expect(api.changes.consumers()).resolves.toMatchObject({ items: [], nextAfter: null });
});

it("shows a push live, and goes on after the last event when the connection is lost", async () => {
  const feed = await createFeed(t.db, caller);
  const events = await trpc().changes.tail({ feedId: feed.id });
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  expect(first.value).toMatchObject({ 1: { changes: [] } });
  const next = iterator.next();
  await ingestDocuments(t.db, caller, { feedId: feed.id, documents: [{ id: "live" }] });
  const { value } = await next;
  expect(value).toMatchObject({
    1: {
      changes: [{ externalId: "live" }],
      names: { [feed.id]: { feedName: "default", sourceName: "Test source" } },
    },
  });
  await iterator.return?.(undefined);

  await ingestDocuments(t.db, caller, { feedId: feed.id, documents: [{ id: "later" }] });
  const again = await trpc().changes.tail({
    feedId: feed.id,
    lastEventId: String((value as unknown as [string])[0]),
  });
  const rest = again[Symbol.asyncIterator]();
  const resumed = await rest.next();
  expect(resumed.value).toMatchObject({ 1: { changes: [{ externalId: "later" }] } });
  await rest.return?.(undefined); // it would be counted among those that wait
});
