import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { SCOPES } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { createRestApp } from "./app";

const t = useDatabase();
let caller: Caller;
let token: string;
let server: ServerType;
let origin: string;

beforeAll(async () => {
  caller = await createCaller(t.db);
  token = (await createToken(t.db, caller, { name: "test", scopes: SCOPES })).token;
  const app = createRestApp(() => t.db);
  await new Promise<void>((listening) => {
    server = serve(
      { fetch: app.fetch, hostname: "127.0.0.1", port: 0, serverOptions: { maxHeaderSize: 64 * 1024 } },
      listening as () => void,
    );
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((closed) => void server.close(() => closed())));

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${origin}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

const push = async (feedId: string, body: unknown) => {
  const response = await call(`/feeds/${feedId}/documents`, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

/** mulberry32: the same seed, the same test. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

describe("twenty writers at once over real HTTP (F50)", () => {
  it("leave one row per id, the greatest version and the most advanced cursor, and no 5xx", async () => {
    const seed = Number(process.env.TIDEMARK_TEST_SEED ?? 20_260_614);
    const random = randomFrom(seed);
    const feed = await createFeed(t.db, caller, { watermark: "idSet" });
    const WRITERS = 20;
    const PUSHES = 5;
    const answers: { status: number; body: Record<string, number> }[] = [];
    let sent = 0;

    // Each writer pushes its versions of the same thirty documents; every call may be sent up to three
    // times, and twice at the same moment: answers get lost, clients retry.
    const writer = async (w: number) => {
      for (let p = 0; p < PUSHES; p += 1) {
        const rank = p * WRITERS + w + 1;
        const order = Array.from({ length: 30 }, (_, i) => i).sort(() => random() - 0.5);
        const documents = order.map((i) => ({
          id: `doc-${i}`,
          version: String(rank),
          text: `by ${w} in ${p}`,
        }));
        const times = 1 + Math.floor(random() * 3);
        const calls = Array.from({ length: times }, () => push(feed.id, { documents, cursor: String(rank) }));
        sent += times * documents.length;
        answers.push(...(await Promise.all(calls)));
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, w) => writer(w)));

    expect([...new Set(answers.map((answer) => answer.status))], `seed ${seed}`).toEqual([200]);
    const total = (name: string) => answers.reduce((sum, { body }) => sum + (body[name] ?? 0), 0);
    expect(total("created") + total("updated") + total("documentsSkipped")).toBe(sent);
    expect(total("created")).toBe(30);

    const greatest = String(WRITERS * PUSHES);
    const rows = await t.db.document.findMany({
      where: { workspaceId: caller.workspaceId, feedId: feed.id },
    });
    expect(rows.map((row) => row.externalId).sort()).toEqual(
      Array.from({ length: 30 }, (_, i) => `doc-${i}`).sort(),
    );
    expect(new Set(rows.map((row) => row.version))).toEqual(new Set([greatest]));
    expect(new Set(rows.map((row) => row.seq)).size).toBe(30);
    const stored = await t.db.feed.findFirstOrThrow({ where: { id: feed.id } });
    expect(stored).toMatchObject({ cursor: greatest, documentCount: 30 });
  });

  it("all succeed on one new and one existing document", async () => {
    const feed = await createFeed(t.db, caller);
    for (const round of ["new", "existing"]) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          push(feed.id, { documents: [{ id: "only", text: `${round} ${i}` }] }),
        ),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    }
    expect(await t.db.document.count({ where: { feedId: feed.id } })).toBe(1);
  });

  it("do not wait on each other's deletes: a feed deleted under way answers 404 or 409, never 5xx", async () => {
    const feed = await createFeed(t.db, caller);
    const pushes = Array.from({ length: 20 }, (_, i) => push(feed.id, { documents: [{ id: `d${i}` }] }));
    const deleted = call(`/feeds/${feed.id}`, { method: "DELETE" });
    const statuses = (await Promise.all(pushes)).map((answer) => answer.status);
    expect((await deleted).status).toBe(204);
    expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    expect(await t.db.document.count({ where: { feedId: feed.id, state: "live" } })).toBe(0);
  });
});

describe("over real HTTP", () => {
  it("takes request lines of nearly 64 KiB", async () => {
    const feed = await createFeed(t.db, caller);
    const id = `https://example.org/${"p".repeat(8000)}`;
    await push(feed.id, { documents: [{ id }] });
    const long = await call(`/feeds/${feed.id}/documents/by-external-id?id=${encodeURIComponent(id)}`);
    expect(long.status).toBe(200);
    const longer = await call(`/feeds/${feed.id}/documents/by-external-id?id=${"%C3%A9".repeat(10_000)}`);
    expect(longer.status).toBe(404);
  });

  it("answers HEAD without a body and stops a chunked upload at the limit", async () => {
    const feed = await createFeed(t.db, caller);
    const complaints = vi.spyOn(console, "error");
    onTestFinished(() => complaints.mockRestore());
    const head = await call(`/feeds/${feed.id}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("application/json");
    expect(complaints, "it is answered once").not.toHaveBeenCalled();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 64) controller.close();
        else controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      },
    });
    const upload = call(`/feeds/${feed.id}/documents`, {
      method: "POST",
      body,
      duplex: "half",
    } as RequestInit);
    // Either the 413 comes through or the connection is closed on the sender; both stop it.
    const status = await upload.then(
      (response) => response.status,
      () => 413,
    );
    expect(status).toBe(413);
  });

  it("goes on after clients that hang up in the middle", async () => {
    const feed = await createFeed(t.db, caller);
    for (let i = 0; i < 10; i += 1) {
      const abort = new AbortController();
      const call20 = fetch(`${origin}/api/v1/feeds/${feed.id}/documents`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ documents: [{ id: `h${i}`, text: "x".repeat(100_000) }] }),
        signal: abort.signal,
      }).catch(() => null);
      setImmediate(() => abort.abort());
      await call20;
    }
    expect((await push(feed.id, { documents: [{ id: "after" }] })).status).toBe(200);
  });
});
