import { beforeAll, describe, expect, it } from "vitest";
import { scopesOfRole } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import type { Role } from "@/server/db";
import { newId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { createCaller as createApi } from "@/server/trpc/root";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { browseConsumers } from "./browse-consumers";
import { MAX_COUNTED_BEHIND } from "./choices";
import { pullChanges } from "./pull-changes";
import { purgeTombstones } from "./purge-tombstones";

const t = useDatabase();
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(t.db);
});

function as(role: Role, of = caller) {
  const userId = newId("usr");
  const person: Caller = { workspaceId: of.workspaceId, actor: { type: "user", id: userId, name: "Ada" } };
  return {
    caller: person,
    api: createApi({
      db: t.db,
      principal: { caller: person, scopes: scopesOfRole(role), role, userId, tokenId: null },
      requestId: "req_test",
      peer: { isLocal: true, address: "127.0.0.1" },
    }).changes,
  };
}

const push = (feedId: string, ids: string[], deleted = false) =>
  ingestDocuments(t.db, caller, { feedId, documents: ids.map((id) => (deleted ? { id, deleted } : { id })) });

/** A consumer as a pull leaves it behind, without waiting ten seconds for the next write. */
async function consumer(
  name: string,
  row: { position: bigint; epoch?: string; feedId?: string; sourceId?: string; snapshotBound?: bigint },
  of = caller,
) {
  const { epoch } = await t.db.instance.findFirstOrThrow();
  const actor = { type: "token", id: newId("tok"), name: `${name}'s token` };
  await t.db.consumer.create({ data: { workspaceId: of.workspaceId, epoch, ...row, name, actor } });
}

async function only(name: string) {
  const { items } = await browseConsumers(t.db, caller, { limit: 200 });
  return items.find((item) => item.name === name);
}

const seqOf = async (feedId: string, externalId: string) =>
  (await t.db.document.findFirstOrThrow({ where: { feedId, externalId } })).seq ?? 0n;

describe("a consumer", () => {
  it("is as far behind as its filter leaves, in changes and in time", async () => {
    const one = await createFeed(t.db, caller);
    const two = await createFeed(t.db, caller);
    await push(one.id, ["a", "b"]);
    await push(two.id, ["c", "d", "e"]);
    const position = await seqOf(one.id, "a");
    await consumer("everything", { position });
    await consumer("one feed", { position, feedId: one.id, sourceId: one.sourceId });
    await consumer("one source", { position, sourceId: two.sourceId });
    await consumer("up to date", { position: await seqOf(two.id, "e") });
    const since = (await t.db.document.findFirstOrThrow({ where: { feedId: one.id, externalId: "b" } }))
      .changedAt;
    expect(await only("everything")).toMatchObject({
      behind: 4,
      behindSince: since.toISOString(),
      by: { type: "token", name: "everything's token" },
      expiresAt: null,
      expiredBy: null,
    });
    expect(await only("one feed")).toMatchObject({
      behind: 1,
      feedName: "default",
      sourceName: "Test source",
    });
    expect(await only("one source")).toMatchObject({ behind: 3, feedName: null, sourceName: "Test source" });
    expect(await only("up to date")).toMatchObject({ behind: 0, behindSince: null, lag: "0" });
  });

  it("has until the first delete it was not told of is purged, and then has to start again", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, ["x", "y"]);
    const position = await seqOf(feed.id, "y");
    await push(feed.id, ["x"], true);
    await push(feed.id, ["z"]); // what is live is never forgotten
    await consumer("asleep", { position });
    await consumer("has seen it", { position: await seqOf(feed.id, "x") });
    await consumer("new", { position: 0n });
    const day = 86_400_000;
    const deletedAt = new Date(Date.now() - 29 * day);
    await t.db.document.updateMany({
      where: { feedId: feed.id, externalId: "x" },
      data: { changedAt: deletedAt },
    });
    expect(await only("asleep")).toMatchObject({
      expiresAt: new Date(deletedAt.getTime() + 30 * day).toISOString(),
      expiredBy: null,
    });
    expect(await only("has seen it")).toMatchObject({ expiresAt: null, expiredBy: null });
    expect(await only("new")).toMatchObject({ expiresAt: null, isFirstWalk: true });

    await t.db.document.updateMany({
      where: { feedId: feed.id, externalId: "x" },
      data: { changedAt: new Date(Date.now() - 31 * day) },
    });
    await purgeTombstones(t.db);
    expect(await only("asleep")).toMatchObject({ expiredBy: "horizon", behind: null, lag: null });
    expect(await only("has seen it")).toMatchObject({ expiredBy: null, distanceToHorizon: "0" });
    expect(await only("new")).toMatchObject({ expiredBy: null, isFirstWalk: true });
  });

  it("of a store that was put back has to start again, and is named as such", async () => {
    await consumer("old", { position: 5n, epoch: "another" });
    expect(await only("old")).toMatchObject({ expiredBy: "epoch", expiresAt: null, behind: null });
  });

  it("is counted no further than the page can say", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, ["first"]);
    const position = await seqOf(feed.id, "first");
    for (let i = 0; i < MAX_COUNTED_BEHIND + 20; i += 40) {
      await push(
        feed.id,
        Array.from({ length: 40 }, (_, n) => `n${i + n}`),
      );
    }
    await consumer("far", { position, feedId: feed.id });
    expect(await only("far")).toMatchObject({ behind: MAX_COUNTED_BEHIND, lag: "520" });
  });

  it("is on the list of its own workspace alone, from its first pull on, until it is taken off", async () => {
    const other = await createCaller(t.db);
    const member = as("member", other);
    const input = { consumer: "mirror", limit: 10 };
    await pullChanges(
      t.db,
      { caller: member.caller, scopes: new Set(), role: "member", userId: null, tokenId: null },
      member.caller,
      input,
    );
    const { items } = await member.api.consumers();
    expect(items).toMatchObject([{ name: "mirror", by: { type: "user", name: "Ada" }, isFirstWalk: true }]);
    expect(await only("mirror")).toBeUndefined();
    await expect(as("viewer", other).api.deleteConsumer({ name: "mirror" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(as("member").api.deleteConsumer({ name: "mirror" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await member.api.deleteConsumer({ name: "mirror" });
    expect((await member.api.consumers()).items).toEqual([]);
  });
});

describe("a shorter retention", () => {
  it("would forget the deletes that are older, and tells whom that leaves behind", async () => {
    const own = await createCaller(t.db);
    const other = await createFeed(t.db, caller);
    const feed = await createFeed(t.db, own);
    await ingestDocuments(t.db, own, { feedId: feed.id, documents: [{ id: "a" }, { id: "b" }, { id: "c" }] });
    const position = await seqOf(feed.id, "c");
    await ingestDocuments(t.db, own, {
      feedId: feed.id,
      documents: [
        { id: "a", deleted: true },
        { id: "b", deleted: true },
      ],
    });
    await t.db.document.updateMany({
      where: { feedId: feed.id, externalId: "a" },
      data: { changedAt: new Date(Date.now() - 10 * 86_400_000) },
    });
    await push(other.id, ["a"]);
    await consumer("asleep", { position }, own);
    await consumer("saw the first", { position: await seqOf(feed.id, "a") }, own);
    await consumer("new", { position: 0n }, own);
    await consumer("of another epoch", { position, epoch: "another" }, own);
    const { api } = as("admin", own);
    await expect(api.retentionEffect({ days: 9 })).resolves.toEqual({ deletes: 1, consumers: ["asleep"] });
    await expect(api.retentionEffect({ days: 11 })).resolves.toEqual({ deletes: 0, consumers: [] });
    await expect(as("admin").api.retentionEffect({ days: 9 })).resolves.toMatchObject({ consumers: [] });
    await expect(as("member", own).api.retentionEffect({ days: 9 })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(api.retentionEffect({ days: 0 })).rejects.toMatchObject({
      code: expect.stringMatching(/BAD_REQUEST|UNPROCESSABLE/),
    });
  });
});

describe("the list", () => {
  it.each([
    ["name", "asc"],
    ["name", "desc"],
    ["seen", "asc"],
    ["seen", "desc"],
    ["behind", "asc"],
    ["behind", "desc"],
  ] as const)("by %s %s is the same in pages both ways", async (sort, dir) => {
    const own = await createCaller(t.db);
    for (const [index, name] of ["Zoë", "ada", "bob", "it's", "x y", "日本"].entries()) {
      await consumer(name, { position: BigInt(index % 3), ...(index === 4 && { epoch: "another" }) }, own);
    }
    const whole = await browseConsumers(t.db, own, { sort, dir });
    const forward: string[] = [];
    let page = await browseConsumers(t.db, own, { sort, dir, limit: 2 });
    forward.push(...page.items.map((item) => item.name));
    while (page.nextAfter) {
      page = await browseConsumers(t.db, own, { sort, dir, limit: 2, after: page.nextAfter });
      forward.push(...page.items.map((item) => item.name));
    }
    const backward = page.items.map((item) => item.name);
    while (page.prevBefore) {
      page = await browseConsumers(t.db, own, { sort, dir, limit: 2, before: page.prevBefore });
      backward.unshift(...page.items.map((item) => item.name));
    }
    expect(forward).toEqual(whole.items.map((item) => item.name));
    expect(backward).toEqual(forward);
    expect(new Set(forward).size).toBe(6);
  });

  it("puts first, when asked for the furthest behind, who has to start again", async () => {
    const own = await createCaller(t.db);
    await consumer("far", { position: 0n }, own);
    await consumer("of another epoch", { position: 900n, epoch: "another" }, own);
    await consumer("near", { position: 800n }, own);
    const { items } = await browseConsumers(t.db, own, { sort: "behind" });
    expect(items.map((item) => item.name)).toEqual(["of another epoch", "far", "near"]);
  });
});
