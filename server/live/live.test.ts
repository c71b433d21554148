import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Principal, SCOPES, scopesOfRole } from "@/server/access/principal";
import { createToken, revokeToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { pauseFeed } from "@/server/feeds/pause-feed";
import { newId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { createCaller as createTrpcCaller } from "@/server/trpc/root";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { createHub, type LiveHub, setHub } from "./hub";
import type { LiveEvent, LiveHint } from "./schema";
import { watchLive } from "./watch-live";

const t = useDatabase();
let caller: Caller;
/** Another process: its own client, pool and hub. */
let elsewhere: Db;
let here: LiveHub;
let there: LiveHub;

beforeAll(async () => {
  caller = await createCaller(t.db);
  elsewhere = createDb(t.url, 4);
  here = createHub(t.db, () => t.url);
  there = createHub(elsewhere, () => t.url);
  setHub(t.db, here);
  setHub(elsewhere, there);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await elsewhere.$disconnect();
});

const principalOf = (who: Caller, scopes = new Set(SCOPES)): Principal => ({
  caller: who,
  scopes,
  role: null,
  userId: null,
  tokenId: null,
});

/** Listens in a process; resolves once the hub's LISTEN connection hears. */
async function listen(hub: LiveHub, principal: Principal) {
  const stop = new AbortController();
  const heard: LiveHint[] = [];
  const events = watchLive(hub, principal, { isResumed: false, signal: stop.signal });
  const first: IteratorResult<LiveEvent> = await events.next();
  expect(first.value).toEqual({ hints: [] });
  let failure: unknown = null;
  let wake = () => {};
  const loop = (async () => {
    try {
      for await (const { hints } of events) {
        heard.push(...hints);
        wake();
      }
    } catch (error) {
      failure = error;
    }
    wake();
  })();
  return {
    heard,
    failure: () => failure,
    async until(isTrue: () => boolean, ms = 3_000) {
      const deadline = performance.now() + ms;
      while (!isTrue()) {
        const left = deadline - performance.now();
        if (left <= 0) throw new Error(`not within ${ms} ms; heard ${JSON.stringify(heard)}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    async leave() {
      stop.abort();
      await loop;
    },
  };
}

const names = (hints: LiveHint[], kind: string, id: string) =>
  hints.some((hint) => hint.kind === kind && (hint.ids?.includes(id) ?? false));

/** The other process's LISTEN is up once it hears something. */
async function warmUp(listener: Awaited<ReturnType<typeof listen>>, sender: LiveHub, workspaceId: number) {
  const probe = setInterval(() => sender.publish(workspaceId, { token: ["tok_probe"] }), 50);
  await listener.until(() => names(listener.heard, "token", "tok_probe"), 10_000);
  clearInterval(probe);
}

describe("between processes", () => {
  it("a pause in one is heard in the other within a second, and nowhere in another workspace", async () => {
    const stranger = await createCaller(t.db);
    const feed = await createFeed(t.db, caller);
    const listener = await listen(there, principalOf(caller));
    const foreign = await listen(there, principalOf(stranger));
    await warmUp(listener, here, caller.workspaceId);

    const started = performance.now();
    await pauseFeed(t.db, caller, { feedId: feed.id });
    await listener.until(() => names(listener.heard, "feed", feed.id));
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(foreign.heard).toEqual([]);
    await Promise.all([listener.leave(), foreign.leave()]);
  });

  it("a push names its run, its feed and where documents are", async () => {
    const feed = await createFeed(t.db, caller);
    const listener = await listen(there, principalOf(caller));
    await warmUp(listener, here, caller.workspaceId);
    const { runId } = await ingestDocuments(t.db, caller, { feedId: feed.id, documents: [{ id: "a" }] });
    await listener.until(
      () =>
        names(listener.heard, "run", runId) &&
        names(listener.heard, "feed", feed.id) &&
        names(listener.heard, "documents", feed.id),
    );
    await listener.leave();
  });

  it("says that everything may be old when the connection was lost", async () => {
    const listener = await listen(there, principalOf(caller));
    await warmUp(listener, here, caller.workspaceId);
    const killed = await t.db.$queryRaw<unknown[]>`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'tidemark-live' AND datname = current_database()`;
    expect(killed.length).toBeGreaterThan(0);
    await listener.until(() => listener.heard.some((hint) => hint.kind === "all"));
    listener.heard.length = 0;
    await warmUp(listener, here, caller.workspaceId);
    await listener.leave();
  });
});

describe("in one process", () => {
  it("is heard at once, and only what the scopes allow", async () => {
    const reader = await listen(here, principalOf(caller, new Set(["sources:read"])));
    here.publish(caller.workspaceId, { feed: ["feed_x"], run: ["run_x"], token: ["tok_x"] });
    await reader.until(() => names(reader.heard, "feed", "feed_x"));
    expect(reader.heard.map((hint) => hint.kind)).toEqual(["feed"]);
    await reader.leave();
  });

  it("merges what a slow listener has not heard yet into broad hints", async () => {
    const subscriber = here.subscribe(principalOf(caller));
    for (let i = 0; i < 10_000; i += 1)
      here.publish(caller.workspaceId, { run: [`run_${i}`], feed: ["feed_x"] });
    expect(subscriber.pending.take()).toEqual([
      { kind: "run", ids: null },
      { kind: "feed", ids: ["feed_x"] },
    ]);
    subscriber.leave();
  });

  it("refuses more connections than one token can mean", () => {
    const principal = { ...principalOf(caller), tokenId: newId("tok") };
    const open = Array.from({ length: 40 }, () => here.subscribe(principal));
    expect(() => here.subscribe(principal)).toThrow(/Too many/);
    for (const subscriber of open) subscriber.leave();
    here.subscribe(principal).leave();
  });

  it("holds no database connection for its listeners", async () => {
    const listeners = await Promise.all(Array.from({ length: 30 }, () => listen(here, principalOf(caller))));
    const [row] = await t.db.$queryRaw<{ open: number }[]>`
      SELECT count(*)::int AS open FROM pg_stat_activity
       WHERE application_name = 'tidemark-live' AND datname = current_database()`;
    expect(row?.open).toBeLessThanOrEqual(2);
    await Promise.all(listeners.map((listener) => listener.leave()));
  });
});

describe("access that ends", () => {
  it("ends the connection within a second: a revoked token", async () => {
    const token = await createToken(t.db, caller, { name: "live", scopes: ["sources:read"] });
    const listener = await listen(there, { ...principalOf(caller), tokenId: token.id });
    const started = performance.now();
    await revokeToken(t.db, caller, token.id);
    await listener.until(() => listener.failure() !== null);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(listener.failure()).toMatchObject({ code: "unauthenticated" });
  });

  it.each(["signed out everywhere", "removed", "given another role"])(
    "… a person who was %s",
    async (what) => {
      const { workspaceId } = caller;
      const id = newId("usr");
      await t.db.user.create({ data: { id, email: `${id}@example.org`, name: "Ada" } });
      await t.db.membership.create({ data: { workspaceId, userId: id, role: "member" } });
      const principal: Principal = {
        caller: { workspaceId, actor: { type: "user", id, name: "Ada" } },
        scopes: scopesOfRole("member"),
        role: "member",
        userId: id,
        tokenId: null,
        sessionVersion: 1,
      };
      const listener = await listen(there, principal);
      const started = performance.now();
      if (what === "removed") await t.db.membership.deleteMany({ where: { userId: id } });
      else if (what === "given another role")
        await t.db.membership.updateMany({ where: { userId: id }, data: { role: "viewer" } });
      else await t.db.user.update({ where: { id }, data: { sessionVersion: 2 } });
      await listener.until(() => listener.failure() !== null);
      expect(performance.now() - started).toBeLessThan(1_000);
      expect(listener.failure()).toMatchObject({ code: "unauthenticated" });
    },
  );
});

describe("over tRPC", () => {
  it("tells tracked events, and in tRPC's own words why it ends", async () => {
    const api = createTrpcCaller({
      db: t.db,
      principal: principalOf(caller),
      requestId: "req_test",
      peer: { isLocal: true, address: "127.0.0.1" },
    });
    const hub = createHub(t.db, () => t.url);
    setHub(t.db, hub);
    const events = await api.live.events({ lastEventId: "7" });
    const iterator = events[Symbol.asyncIterator]();
    const { value } = await iterator.next();
    expect(value).toMatchObject({ 0: "1", 1: { hints: [{ kind: "all", ids: null }] } });
    const next = iterator.next().catch((error: unknown) => error);
    await hub.close();
    setHub(t.db, here);
    const error = await next;
    expect(error).toBeInstanceOf(TRPCError);
    expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", cause: { code: "unavailable" } });
  });
});
