import { expect, it } from "vitest";
import { rss } from "@/adapters/rss";
import type { Adapter } from "@/sdk/adapter";
import { saveCredential } from "@/server/vault/credentials";
import { splitSecretUrl } from "@/server/vault/feed-url";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { runFeed, useUpstream } from "@/test/run-feed";

const t = useDatabase();
const upstream = useUpstream();

/** A feed served on loopback whose items the test edits. */
async function setUp() {
  const site = {
    items: [] as { guid: string; body: string; pubDate?: string }[],
    etag: '"1"',
    validators: [] as unknown[],
  };
  upstream.answer = (request, response) => {
    site.validators.push(request.headers["if-none-match"] ?? null);
    response.writeHead(200, { "content-type": "application/rss+xml", etag: site.etag });
    response.end(
      `<rss version="2.0"><channel><title>Tides</title><link>https://tides.example/</link>${site.items
        .map(
          ({ guid, body, pubDate = "Sun, 14 Jun 2026 09:00:00 GMT" }) =>
            `<item><guid isPermaLink="false">${guid}</guid><title>${guid}</title><description>${body}</description><pubDate>${pubDate}</pubDate></item>`,
        )
        .join("")}</channel></rss>`,
    );
  };
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(
    t.db,
    caller,
    { watermark: "date", externalKey: upstream.url("/feed.xml") },
    { type: "rss", runsOn: "cloud" },
  );
  const run = () => runFeed(t.db, caller, feedId, rss as Adapter);
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id: feedId } });
  return { site, caller, feedId, run, feedRow };
}

it("F01: a third item with the same stamp comes in; the first two are recognised", async () => {
  const { site, run, feedRow } = await setUp();
  site.items = [
    { guid: "a", body: "1" },
    { guid: "b", body: "1" },
  ];
  await expect(run()).resolves.toMatchObject({ status: "succeeded", created: 2 });
  site.items = [...site.items, { guid: "c", body: "1" }];
  site.etag = '"2"';
  await expect(run()).resolves.toMatchObject({ status: "succeeded", created: 1, updated: 0, skipped: 2 });
  await expect(feedRow()).resolves.toMatchObject({ upstreamTitle: "Tides", documentCount: 3 });
});

it("F03: an item dated years ahead is stored once, and what is published later still comes in", async () => {
  const { site, run, feedRow } = await setUp();
  site.items = [
    { guid: "future", body: "1", pubDate: "Sat, 14 Jun 2031 09:00:00 GMT" },
    { guid: "a", body: "1" },
    { guid: "b", body: "1" },
  ];
  const first = await run();
  expect(Date.parse((await feedRow()).cursor ?? "")).toBeLessThanOrEqual(first.startedAt?.getTime() ?? 0);
  site.items = [...site.items, { guid: "c", body: "1" }, { guid: "d", body: "1" }, { guid: "e", body: "1" }];
  await expect(run()).resolves.toMatchObject({ created: 3, skipped: 3 });
  await expect(feedRow()).resolves.toMatchObject({ documentCount: 6 });
});

it("F15: the same guid and date with another body is a new version", async () => {
  const { site, run, feedId } = await setUp();
  site.items = [{ guid: "a", body: "low water" }];
  await run();
  const before = await t.db.document.findFirstOrThrow({ where: { feedId } });
  site.items = [{ guid: "a", body: "high water" }];
  await expect(run()).resolves.toMatchObject({ updated: 1 });
  const after = await t.db.document.findFirstOrThrow({ where: { feedId } });
  expect(after.text).toContain("high water");
  expect(after.seq).toBeGreaterThan(before.seq ?? 0n);
});

it("F21: validators are stored with the page and sent back byte for byte; a broken answer leaves them", async () => {
  const { site, run } = await setUp();
  site.items = [{ guid: "a", body: "1" }];
  site.etag = 'W/"odd"';
  await run();
  const serve = upstream.answer;
  upstream.answer = (request, response) => {
    site.validators.push(request.headers["if-none-match"] ?? null);
    response
      .writeHead(200, { "content-type": "text/html", etag: '"login"' })
      .end("<html><form>Sign in</form></html>");
  };
  await expect(run()).resolves.toMatchObject({ status: "failed", error: { origin: "upstream" } });
  upstream.answer = serve;
  await expect(run()).resolves.toMatchObject({ status: "succeeded" });
  expect(site.validators).toEqual([null, 'W/"odd"', 'W/"odd"']);
});

it("410 disables the feed and keeps its documents; 401 asks for a reconnect", async () => {
  const { site, run, feedRow } = await setUp();
  site.items = [{ guid: "a", body: "1" }];
  await run();
  upstream.answer = (_, response) => response.writeHead(401).end();
  await expect(run()).resolves.toMatchObject({ status: "failed", error: { code: "unauthorized" } });
  await expect(feedRow()).resolves.toMatchObject({ state: "needs_reconnect" });
  upstream.answer = (_, response) => response.writeHead(410).end();
  await t.db.feed.updateMany({ where: { id: (await feedRow()).id }, data: { state: "active" } });
  await expect(run()).resolves.toMatchObject({ status: "failed", error: { code: "gone" } });
  await expect(feedRow()).resolves.toMatchObject({ state: "disabled", nextSyncAt: null, documentCount: 1 });
});

it("follows a moved feed for three runs and then adopts its address, without doubling an item", async () => {
  const { site, run, feedRow } = await setUp();
  site.items = [{ guid: "a", body: "1" }];
  const serve = upstream.answer;
  upstream.answer = (request, response) => {
    if (request.url === "/feed.xml") response.writeHead(301, { location: "/moved.xml" }).end();
    else serve(request, response);
  };
  for (let i = 0; i < 3; i += 1) await expect(run()).resolves.toMatchObject({ status: "succeeded" });
  await expect(feedRow()).resolves.toMatchObject({
    externalKey: upstream.url("/moved.xml"),
    documentCount: 1,
  });
  upstream.requests.length = 0;
  await run();
  expect(upstream.requests).toEqual(["/moved.xml"]);
});

it("F43: secrets in the address and in credentials reach the upstream and no row", async () => {
  const { site, caller, feedId, run } = await setUp();
  site.items = [{ guid: "a", body: "1" }];
  const address = upstream
    .url("/feed.xml?api_key=hunter2-hunter2")
    .replace("http://", "http://ada:pass-word-1@");
  const { externalKey, secretUrl } = splitSecretUrl(address);
  const credentialId = await saveCredential(t.db, caller.workspaceId, { type: "url", url: secretUrl ?? "" });
  await t.db.feed.updateMany({ where: { id: feedId }, data: { externalKey, credentialId } });
  const authorizations: unknown[] = [];
  const serve = upstream.answer;
  upstream.answer = (request, response) => {
    authorizations.push([request.headers.authorization, request.url]);
    serve(request, response);
  };
  await expect(run()).resolves.toMatchObject({ status: "succeeded", created: 1 });
  upstream.answer = (request, response) =>
    response.writeHead(500).end(`no ${request.url} for ${request.headers.authorization}`);
  await expect(run()).resolves.toMatchObject({ status: "failed" });
  expect(authorizations).toEqual([
    [`Basic ${Buffer.from("ada:pass-word-1").toString("base64")}`, "/feed.xml?api_key=hunter2-hunter2"],
  ]);
  const rows = await t.db.$queryRaw<{ text: string }[]>`
    SELECT f::text AS text FROM feeds f UNION ALL SELECT e::text FROM run_events e UNION ALL SELECT r::text FROM sync_runs r
    UNION ALL SELECT d::text FROM documents d UNION ALL SELECT c::text FROM cursor_transitions c`;
  const secrets = ["hunter2-hunter2", "pass-word-1", Buffer.from("ada:pass-word-1").toString("base64")];
  expect(rows.filter(({ text }) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});
