import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SCOPES } from "@/server/access/principal";
import { createToken, revokeToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { changeEpoch } from "@/server/changes/identity";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { type RestServer, startRestServer } from "@/test/rest-server";
import { followChanges } from "./follow/follow-changes.ts";
import type { FollowOptions, FollowStatus } from "./follow/options.ts";
import type { PushOptions } from "./push/options.ts";
import { pushDocuments } from "./push/push-documents.ts";
import { createMemoryStore } from "./stores/memory-store.ts";
import { Mirror } from "./testing/mirror.ts";

const t = useDatabase();
let server: RestServer;
let caller: Caller;
let token: string;
let tokenId: string;
let mirror: Mirror;
beforeAll(async () => {
  server = await startRestServer(t.db);
});
afterAll(() => server.stop());
beforeEach(async () => {
  caller = await createCaller(t.db);
  const created = await createToken(t.db, caller, { name: "client", scopes: SCOPES });
  token = created.token;
  tokenId = created.id;
  mirror = new Mirror();
});

const push = (feedId: string, options: Partial<PushOptions> & Pick<PushOptions, "documents">) =>
  pushDocuments({ url: server.url, token, feedId, ...options });
const follow = (options: Partial<FollowOptions> = {}) =>
  followChanges({ url: server.url, token, ...mirror.transactional(), limit: 10, ...options });
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ id: `d-${from + i}`, title: `${from + i}` }));
const cursorOf = async (feedId: string) =>
  (await t.db.feed.findFirstOrThrow({ where: { id: feedId } })).cursor;
const liveTitles = async () => {
  const rows = await t.db.document.findMany({ where: { workspaceId: caller.workspaceId, state: "live" } });
  return new Map(rows.map(({ externalId, title }) => [String(externalId), title ?? ""]));
};

describe("pushing", () => {
  it("two writers that overtake each other leave every document and the most advanced cursor", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "idSet" });
    const read: Record<string, (string | null)[]> = { left: [], right: [] };
    /** All numbers up to `high`, which grows while it is read. */
    const writer = (name: "left" | "right", high: number) => ({
      documents: (from: string | null) => {
        read[name]?.push(from);
        return numbered(Number(from ?? 0) + 1, high);
      },
      cursor: String(high),
    });
    // Both have read "no cursor"; the one that comes second learns of it when its last slice arrives.
    const left = push(feed.id, { ...writer("left", 130), cursorBefore: null });
    const right = push(feed.id, { ...writer("right", 90), cursorBefore: null });
    const [l, r] = await Promise.all([left, right]);
    expect(await cursorOf(feed.id)).toBe("130");
    expect([...(await liveTitles()).keys()]).toHaveLength(130);
    expect(l.conflict || r.conflict || l.restarts + r.restarts > 0).toBe(true);
    expect(l.created + r.created).toBe(130);
  });

  it("a token moves by checkpoints, each sent with the one before it", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "token" });
    async function* documents() {
      for (const document of numbered(1, 120)) {
        yield document;
        if (Number(document.title) % 40 === 0) yield { checkpoint: `page-${document.title}` };
      }
    }
    const summary = await push(feed.id, { documents });
    expect(summary).toMatchObject({ created: 120, calls: 3, cursor: "page-120", cursorOutcome: "advanced" });
    const moves = await t.db.cursorTransition.findMany({
      where: { feedId: feed.id },
      orderBy: { at: "asc" },
    });
    expect(moves.map(({ from, to, conflict }) => [from, to, conflict])).toEqual([
      [null, "page-40", false],
      ["page-40", "page-80", false],
      ["page-80", "page-120", false],
    ]);
  });

  it("reports what was refused with its place among all, and says why a call was refused whole", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "date" });
    const documents = [...numbered(1, 60), { id: "x", text: "y".repeat(1_100_000) }, ...numbered(62, 70)];
    expect(await push(feed.id, { documents })).toMatchObject({
      created: 69,
      documentsRejected: [{ index: 60, id: "x", code: "text_too_large" }],
    });
    await expect(push(feed.id, { documents: [], cursor: "yesterday" })).rejects.toMatchObject({
      code: "cursor_invalid",
      status: 422,
      requestId: expect.stringMatching(/./),
    });
    await expect(push("feed_01jz0000000000000000000000", { documents: [] })).rejects.toMatchObject({
      code: "feed_not_found",
    });
  });

  it("takes 9 MiB in as few calls as the server allows", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "idSet" });
    const text = "潮".repeat(345_000);
    const documents = numbered(1, 9).map((document) => ({ ...document, text }));
    expect(await push(feed.id, { documents, cursor: "9", cursorBefore: null })).toMatchObject({
      created: 9,
      calls: 2,
      cursorOutcome: "advanced",
    });
  });

  it("needs no more than documents:write, unless it is to read the cursor itself", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "idSet" });
    const { token } = await createToken(t.db, caller, { name: "writer", scopes: ["documents:write"] });
    const documents = () => numbered(1, 3);
    await expect(push(feed.id, { documents, token })).rejects.toMatchObject({
      code: "forbidden",
      problem: { missingScope: "sources:read" },
    });
    expect(await push(feed.id, { documents, cursorBefore: null, cursor: "3", token })).toMatchObject({
      created: 3,
    });
  });
});

describe("following", () => {
  it("is woken by each push, and ends equal", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: numbered(1, 25) });
    const ending = new AbortController();
    const waiting = signals<FollowStatus>((status) => status.type === "waiting");
    const following = follow({ signal: ending.signal, onStatus: waiting.note });
    await waiting.next();
    for (let round = 0; round < 3; round++) {
      const documents = [
        { id: `d-${round + 1}`, deleted: true },
        { id: "d-25", title: `round ${round}` },
      ];
      await push(feed.id, { documents });
      await waiting.next();
      while (mirror.contents.get("d-25") !== `round ${round}`) await waiting.next();
    }
    ending.abort();
    await following;
    expect(mirror.contents).toEqual(await liveTitles());
  });

  it("starts over after a restore, and ends equal", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: numbered(1, 35) });
    await follow({ stopWhenCaughtUp: true });
    await t.db.document.deleteMany({ where: { feedId: feed.id, externalId: { startsWith: "d-2" } } });
    const { epoch } = await t.db.instance.findFirstOrThrow();
    await changeEpoch(t.db, { from: epoch, why: "a test put history back" });
    const statuses: FollowStatus[] = [];
    const onStatus = (status: FollowStatus) => statuses.push(status);
    expect(await follow({ stopWhenCaughtUp: true, onStatus })).toMatchObject({ restarts: 1 });
    expect(statuses[0]).toMatchObject({ type: "restarting", reason: "epoch", error: { status: 410 } });
    expect(mirror.contents).toEqual(await liveTitles());
    expect(mirror.contents.size).toBe(24);
  });

  it("a position of another filter or workspace is refused, not misread", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: numbered(1, 3) });
    await follow({ stopWhenCaughtUp: true });
    await expect(follow({ feedId: feed.id })).rejects.toMatchObject({ code: "cursor_filter_mismatch" });
    const other = await createToken(t.db, await createCaller(t.db), { name: "other", scopes: SCOPES });
    await expect(follow({ token: other.token })).rejects.toMatchObject({ code: "cursor_invalid" });
    expect(mirror.contents).toEqual(await liveTitles());
  });

  it("ends with a typed error when its token is revoked while it waits", async () => {
    const waiting = signals<FollowStatus>((status) => status.type === "waiting");
    const following = follow({ store: createMemoryStore(), onStatus: waiting.note, wait: 55 });
    const ended = expect(following).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
    await waiting.next();
    await revokeToken(t.db, caller, tokenId);
    await ended;
  });

  it("without the scope says which one it lacks", async () => {
    const { token } = await createToken(t.db, caller, { name: "writer", scopes: ["documents:write"] });
    await expect(follow({ token })).rejects.toMatchObject({
      code: "forbidden",
      problem: { missingScope: "changes:read" },
    });
  });
});

/** Waits for the next value that counts. */
function signals<T>(counts: (value: T) => boolean) {
  let seen = 0;
  let taken = 0;
  let wake = () => {};
  return {
    note: (value: T) => {
      if (!counts(value)) return;
      seen += 1;
      wake();
    },
    async next() {
      while (seen <= taken)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      taken += 1;
    },
  };
}
