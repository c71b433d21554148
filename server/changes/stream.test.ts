import { beforeEach, expect, it } from "vitest";
import { createToken, revokeToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { useHttpServer } from "@/test/http-server";
import { waitUntil } from "@/test/wait-until";
import { changeEpoch } from "./identity";
import { createWaiters, setWaiters, waitersFor } from "./waiters";

const t = useDatabase();
const http = useHttpServer(t);
let caller: Caller;
let feed: Awaited<ReturnType<typeof createFeed>>;
let token: string;
let tokenId: string;

beforeEach(async () => {
  setWaiters(
    t.db,
    createWaiters(t.db, () => 100),
  );
  caller = await createCaller(t.db);
  feed = await createFeed(t.db, caller);
  const made = await createToken(t.db, caller, { name: "stream", scopes: ["changes:read"] });
  token = made.token;
  tokenId = made.id;
});

const push = (...ids: string[]) =>
  ingestDocuments(t.db, caller, {
    feedId: feed.id,
    documents: ids.map((id) => ({ id, title: String(Math.random()) })),
  });

type Block = { event?: string; id?: string; data?: string; comment?: string };

function parseBlock(text: string): Block {
  const block: Block = {};
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (name === "") block.comment = value;
    else block[name as "event" | "id" | "data"] = value;
  }
  return block;
}

async function open(query = "", headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${http.origin}/changes/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: stop.signal,
  });
  const blocks: Block[] = [];
  let isOver = false;
  const reading = (async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      blocks.push(...parts.map(parseBlock));
    }
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return {
    response,
    blocks,
    until: (isTrue: () => boolean, what: string) => waitUntil(isTrue, what),
    over: () => waitUntil(() => isOver, "the stream is over"),
    async stop() {
      stop.abort();
      await reading;
    },
  };
}

const idsOf = (blocks: Block[]) =>
  blocks.filter((block) => block.event === "change").map((block) => JSON.parse(block.data ?? "").externalId);

it("sends what there is, then what comes, each event with the cursor after it", async () => {
  await push("a", "b", "c");
  const stream = await open("?limit=2");
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(stream.response.headers.get("cache-control")).toContain("no-store");
  await stream.until(() => idsOf(stream.blocks).length === 3, "what there is");
  await push("d");
  await stream.until(() => idsOf(stream.blocks).length === 4, "what comes");
  expect(idsOf(stream.blocks)).toEqual(["a", "b", "c", "d"]);
  await stream.stop();

  for (const [index, { id }] of stream.blocks.entries()) {
    const again = await open("?cursor=ignored", { "last-event-id": id ?? "" });
    await again.until(() => again.blocks.length > 0, "an answer");
    await again.until(() => idsOf(again.blocks).length === 3 - index, "the rest");
    expect(idsOf(again.blocks)).toEqual(["a", "b", "c", "d"].slice(index + 1));
    await again.stop();
  }
  await waitUntil(() => waitersFor(t.db).count(caller.workspaceId) === 0, "nobody waits", 1_000);
});

it("says where it stands at once, and moves a filtered one on without an event", async () => {
  const other = await createFeed(t.db, caller);
  const stream = await open(`?cursor=now&feedId=${other.id}`);
  await stream.until(() => stream.blocks.length === 1, "a bookmark");
  expect(stream.blocks[0]).toEqual({ id: expect.stringMatching(/^[\w-]{72}$/) });
  await stream.stop();
});

it("tells expiry as an event, closes, and ends the reconnect with 204", async () => {
  await push("a");
  const running = await open();
  await running.until(() => idsOf(running.blocks).length === 1, "the first event");
  const { epoch } = await t.db.instance.findUniqueOrThrow({ where: { id: 1 } });
  await changeEpoch(t.db, { from: epoch, why: "test" });
  await push("b");
  await running.over();
  const last = running.blocks.at(-1);
  expect(last).toMatchObject({ event: "expired", id: "expired" });
  expect(JSON.parse(last?.data ?? "")).toMatchObject({ reason: "epoch", restart: "/api/v1/changes" });

  const late = await open("", { "last-event-id": running.blocks[0]?.id ?? "" });
  await late.over();
  expect(late.blocks).toMatchObject([{ event: "expired" }]);
  const end = await open("", { "last-event-id": "expired" });
  expect(end.response.status).toBe(204);
});

it("refuses a forged cursor as any pull does", async () => {
  const stream = await open("?cursor=forged");
  expect(stream.response.status).toBe(400);
  expect(stream.response.headers.get("cache-control")).toContain("no-store");
  await stream.stop();
});

it("ends when its token is revoked, and when the server stops", async () => {
  const first = await open("?cursor=now");
  const started = performance.now();
  await revokeToken(t.db, caller, tokenId);
  await first.over();
  expect(performance.now() - started).toBeLessThan(1_500);

  token = (await createToken(t.db, caller, { name: "again", scopes: ["changes:read"] })).token;
  const second = await open("?cursor=now");
  await waitersFor(t.db).close();
  await second.over();
  expect((await open("?cursor=now")).response.status).toBe(503);
});
