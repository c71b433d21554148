import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followChanges } from "@/sdk/follow/follow-changes";
import { Mirror } from "@/sdk/testing/mirror";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { backUpStore } from "@/server/backup/back-up-store";
import { restoreStore } from "@/server/backup/restore-store";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { startCachingProxy } from "./caching-proxy";
import { useDatabase } from "./database";
import { createCaller, createFeed } from "./factories";
import { type RestServer, startRestServer } from "./rest-server";

const t = useDatabase();
let directory: string;
let server: RestServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-follow-"));
  server = await startRestServer(t.db);
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

type Change = { id: string; title?: string; deleted?: boolean };

/** `count` changes, of new documents and old ones, every seventh a delete. */
function changes(count: number, salt: string): Change[] {
  return Array.from({ length: count }, (_, n) => {
    const id = n % 3 === 0 ? `old-${n % 60}` : `${salt}-${n}`;
    return n % 7 === 6 ? { id: `old-${n % 60}`, deleted: true } : { id, title: `${salt} ${n}` };
  });
}

async function push(caller: Caller, feedId: string, documents: Change[]): Promise<void> {
  // One by one: each is a change of its own, also of the same document.
  for (const document of documents) {
    await ingestDocuments(t.db, caller, { feedId, documents: [document] as never });
  }
}

describe("a store that was put back", () => {
  it.each([
    ["directly", false],
    ["through an HTTP cache", true],
  ])("expires every old cursor, and a mirror that follows it %s ends equal", async (_, throughCache) => {
    const caller = await createCaller(t.db);
    const { id: feedId } = await createFeed(t.db, caller);
    const { token } = await createToken(t.db, caller, { name: "mirror", scopes: ["changes:read"] });
    const proxy = throughCache ? await startCachingProxy(server.url) : null;
    const url = proxy?.url ?? server.url;
    const mirror = new Mirror();
    const follow = () =>
      followChanges({ url, token, ...mirror.transactional(), limit: 20, stopWhenCaughtUp: true });
    const expectEqual = async () => {
      const rows = await t.db.document.findMany({
        where: { workspaceId: caller.workspaceId, state: "live" },
      });
      expect(rows.length).toBeGreaterThan(50);
      expect(mirror.contents).toEqual(new Map(rows.map((row) => [row.externalId, row.title])));
    };
    const cursors = new Set<string>();
    const pull = async (cursor?: string) => {
      const query = new URLSearchParams({ limit: "20", ...(cursor && { cursor }) });
      const response = await fetch(`${url}/api/v1/changes?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return { status: response.status, body: await response.json() };
    };
    /** Walks from the beginning to the end and keeps every cursor on the way. */
    const walk = async () => {
      let cursor: string | undefined;
      for (let hasMore = true; hasMore; ) {
        const { status, body } = await pull(cursor);
        expect(status).toBe(200);
        cursor = body.cursor;
        cursors.add(body.cursor);
        hasMore = body.hasMore;
      }
    };

    await push(caller, feedId, changes(150, "first"));
    await walk();
    await follow();
    const file = join(directory, `${caller.workspaceId}.backup`);
    await backUpStore(t.url, file);
    await push(caller, feedId, changes(200, "second"));
    await walk();
    await follow();
    await expectEqual();
    cursors.add((await pull("now")).body.cursor);
    expect(cursors.size).toBeGreaterThan(15);

    await restoreStore(t.url, file, { safetyFile: join(directory, `${caller.workspaceId}-safety.backup`) });
    await push(caller, feedId, changes(250, "third"));

    for (const cursor of cursors) {
      expect(await pull(cursor)).toMatchObject({
        status: 410,
        body: { code: "cursor_expired", reason: "epoch" },
      });
    }
    expect(await follow()).toMatchObject({ restarts: 1 });
    await expectEqual();
    expect([...mirror.contents.keys()].some((key) => key.startsWith("second-"))).toBe(false);
    expect(await follow()).toMatchObject({ restarts: 0 });
    if (proxy) expect({ hits: proxy.hits, stored: proxy.stored }).toEqual({ hits: 0, stored: 0 });
    await proxy?.stop();
  });
});

it("has a cache in these tests that does keep what it may, the refusal of a cursor too", async () => {
  let calls = 0;
  const origin = createServer((request, response) => {
    calls += 1;
    const status = request.url === "/gone" ? 410 : 200;
    response.writeHead(status, request.url === "/secret" ? { "cache-control": "no-store" } : {}).end("x");
  });
  await new Promise<void>((listening) => origin.listen(0, "127.0.0.1", () => listening()));
  const proxy = await startCachingProxy(`http://127.0.0.1:${(origin.address() as AddressInfo).port}`);
  for (const path of ["/gone", "/page", "/secret"]) {
    await fetch(proxy.url + path);
    await fetch(proxy.url + path);
  }
  expect({ calls, hits: proxy.hits }).toEqual({ calls: 4, hits: 2 });
  await proxy.stop();
  origin.closeAllConnections();
  await new Promise((closed) => origin.close(closed));
});
