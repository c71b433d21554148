import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../http";
import { emptyMemory, liveIds, runSync, type SyncSetup } from "../testing/run-sync";
import { LOOPBACK, startUpstream } from "../testing/upstream";
import { rss } from ".";
import { atomXml, datedItems, rssXml } from "./fixtures";

const fetch = createGuardedFetch({
  allowPrivateNetworks: LOOPBACK,
  timeouts: { totalMs: 2000 },
  maxBytes: 1 << 20,
});
const sync = (url: string, memory = emptyMemory(), more: Partial<SyncSetup> = {}) =>
  runSync(rss, { fetch, feed: { url }, ...more }, memory);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers the n-th request with the n-th function, the last one for ever. */
function inTurn(...answers: Answer[]): Answer {
  let at = 0;
  return (request, response) => answers[Math.min(at++, answers.length - 1)]?.(request, response);
}

const send =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

describe("conditional requests", () => {
  it("F21: replaces both validators on every 200, byte for byte, and only after parsing", async () => {
    const t = "Thu, 05 Mar 2026 10:00:00 GMT";
    const upstream = await startUpstream(
      inTurn(
        send(rssXml(datedItems(1)), { etag: '"a"', "last-modified": t }),
        send(rssXml(datedItems(2)), { etag: 'W/"b-gzip"', "last-modified": t }),
        send("<html><title>Sign in</title></html>", { etag: '"login"' }),
        send(rssXml(datedItems(3)), { "last-modified": "not a date at all" }),
        send("", {}, 304),
      ),
    );
    const memory = emptyMemory();
    await sync(upstream.origin, memory);
    await sync(upstream.origin, memory);
    await expect(sync(upstream.origin, memory)).rejects.toMatchObject({ code: "not_a_feed" });
    await sync(upstream.origin, memory);
    await sync(upstream.origin, memory);

    const sent = upstream.requests.map(({ headers }) => [
      headers["if-none-match"],
      headers["if-modified-since"],
    ]);
    expect(sent).toEqual([
      [undefined, undefined],
      ['"a"', t],
      ['W/"b-gzip"', t],
      ['W/"b-gzip"', t],
      [undefined, "not a date at all"],
    ]);
    expect(liveIds(memory)).toHaveLength(3);
  });

  it("takes a 304 as success and keeps or refreshes the validators", async () => {
    const upstream = await startUpstream(
      inTurn(
        send(rssXml(datedItems(2)), { etag: '"a"', "last-modified": "x" }),
        send("", { etag: '"a2"' }, 304),
        send("", {}, 304),
      ),
    );
    const memory = emptyMemory();
    await sync(upstream.origin, memory);
    const second = await sync(upstream.origin, memory);
    await sync(upstream.origin, memory);

    expect(second.pages).toMatchObject([{ documents: [] }]);
    expect(upstream.requests[2]?.headers).toMatchObject({
      "if-none-match": '"a2"',
      "if-modified-since": "x",
    });
  });

  it("recognises an unchanged body from a server that always says 200 with a new ETag", async () => {
    let count = 0;
    const upstream = await startUpstream((_, res) =>
      res.writeHead(200, { etag: `"${++count}"` }).end(rssXml(datedItems(5))),
    );
    const memory = emptyMemory();
    await sync(upstream.origin, memory);

    const { pages } = await sync(upstream.origin, memory);

    expect(pages.map((page) => page.documents)).toEqual([[]]);
    await sync(upstream.origin, memory);
    expect(upstream.requests[2]?.headers["if-none-match"]).toBe('"2"');
  });

  it("drops the validators when the address changes, and a 304 from elsewhere proves nothing", async () => {
    let target = "/one";
    const upstream = await startUpstream((req, res) => {
      if (req.url === "/feed") res.writeHead(302, { location: target }).end();
      else if (req.headers["if-none-match"] === '"1"') res.writeHead(304).end();
      else res.writeHead(200, { etag: '"1"' }).end(rssXml(datedItems(1, `urn:${req.url}:`)));
    });
    const memory = emptyMemory();
    await sync(`${upstream.origin}/feed`, memory);
    target = "/two";
    await sync(`${upstream.origin}/feed`, memory);

    expect(liveIds(memory)).toEqual(["urn:/one:1", "urn:/two:1"]);
    await sync(`${upstream.origin}/two`, memory);
    expect(upstream.requests.at(-1)?.headers["if-none-match"]).toBeUndefined();
  });

  it("reads everything again when the position was reset, whatever the server would say", async () => {
    const upstream = await startUpstream((req, res) =>
      req.headers["if-none-match"]
        ? res.writeHead(304).end()
        : res.writeHead(200, { etag: '"1"' }).end(rssXml(datedItems(2))),
    );
    const memory = emptyMemory();
    await sync(upstream.origin, memory);
    memory.cursor = { type: "none" };

    const { pages } = await sync(upstream.origin, memory);

    expect(pages[0]?.documents).toHaveLength(2);
  });

  it("asks a feed without dates conditionally too", async () => {
    const upstream = await startUpstream((req, res) =>
      req.headers["if-none-match"]
        ? res.writeHead(304).end()
        : res.writeHead(200, { etag: '"1"' }).end(rssXml([{ guid: "a" }])),
    );
    const memory = emptyMemory();
    await sync(upstream.origin, memory);
    await sync(upstream.origin, memory);

    expect(memory.cursor).toEqual({ type: "none" });
    expect(upstream.requests[1]?.headers["if-none-match"]).toBe('"1"');
  });

  it("fails on a 304 that nobody asked for", async () => {
    const upstream = await startUpstream(send("", {}, 304));

    await expect(sync(upstream.origin)).rejects.toMatchObject({ code: "protocol" });
  });
});

describe("redirects and failures", () => {
  it("reports a move only when every hop was permanent and the target is a feed", async () => {
    const upstream = await startUpstream((req, res) => {
      const to = (status: number, location: string) => res.writeHead(status, { location }).end();
      if (req.url === "/moved") to(301, "/hop");
      else if (req.url === "/hop") to(308, "/feed");
      else if (req.url === "/mixed") to(301, "/temporary");
      else if (req.url === "/temporary") to(302, "/feed");
      else if (req.headers["if-none-match"]) res.writeHead(304).end();
      else res.writeHead(200, { etag: '"1"' }).end(rssXml(datedItems(1)));
    });
    const memory = emptyMemory();
    const moved = await sync(`${upstream.origin}/moved`, memory);
    const unchanged = await sync(`${upstream.origin}/moved`, memory);
    const mixed = await sync(`${upstream.origin}/mixed`);

    expect(moved.pages[0]?.movedTo).toBe(`${upstream.origin}/feed`);
    expect(unchanged.pages[0]).toMatchObject({ documents: [], movedTo: `${upstream.origin}/feed` });
    expect(mixed.pages[0]).not.toHaveProperty("movedTo");
  });

  it("keeps user name and password in the address of a move within the origin", async () => {
    const upstream = await startUpstream((req, res) =>
      req.url === "/old" ? res.writeHead(301, { location: "/new" }).end() : res.end(rssXml(datedItems(1))),
    );
    const { pages } = await sync(`${upstream.origin.replace("//", "//jo:pass@")}/old`);

    expect(pages[0]?.movedTo).toBe(`${upstream.origin.replace("//", "//jo:pass@")}/new`);
  });

  it("F22: a move to a web page, or a sign-in page instead of the feed, changes nothing and passes", async () => {
    const elsewhere = await startUpstream(send("<!doctype html><title>Sign &amp; in</title>"));
    const feed = send(rssXml(datedItems(2)), { etag: '"a"' });
    const upstream = await startUpstream(
      inTurn(
        feed,
        (_, res) => res.writeHead(301, { location: elsewhere.origin }).end(),
        send("<html><title>Login</title>"),
        feed,
      ),
    );
    const memory = emptyMemory();
    await sync(upstream.origin, memory);
    const before = structuredClone(memory);

    const moved = await sync(upstream.origin, memory).catch((e) => e);
    const login = await sync(upstream.origin, memory).catch((e) => e);

    expect(moved).toMatchObject({ code: "not_a_feed", message: expect.stringContaining("“Sign & in”") });
    expect(login).toMatchObject({
      code: "not_a_feed",
      info: { retryable: true, detail: expect.stringContaining("Login") },
    });
    expect(memory).toEqual(before);
    await sync(upstream.origin, memory);
    expect(liveIds(memory)).toHaveLength(2);
    expect(upstream.requests.at(-1)?.headers["if-none-match"]).toBe('"a"');
  });

  it.each([
    [410, {}, "gone"],
    [404, {}, "not_found"],
    [401, {}, "unauthorized"],
    [403, { "cf-mitigated": "challenge" }, "forbidden"],
    [500, {}, "unavailable"],
  ])("answers %d with %j as %s", async (status, headers, code) => {
    const upstream = await startUpstream(send("no", headers as Record<string, string>, status));

    await expect(sync(upstream.origin)).rejects.toMatchObject({ code, info: { status, detail: "no" } });
  });

  it("F40: hands on Retry-After in both forms", async () => {
    const now = new Date("2026-03-01T12:00:00Z");
    const upstream = await startUpstream(
      inTurn(
        send("", { "retry-after": "Sun, 01 Mar 2026 12:01:30 GMT" }, 429),
        send("", { "retry-after": "30" }, 503),
        send("", { "retry-after": "120junk" }, 429),
      ),
    );
    const failures = [];
    for (let i = 0; i < 3; i++)
      failures.push(await sync(upstream.origin, emptyMemory(), { now: () => now }).catch((e) => e));

    expect(failures.map((e) => [e.code, e.info.retryAt?.toISOString()])).toEqual([
      ["rate_limited", "2026-03-01T12:01:30.000Z"],
      ["rate_limited", "2026-03-01T12:00:30.000Z"],
      ["rate_limited", undefined],
    ]);
  });

  it("reads gzip, refuses oversize and endless bodies", async () => {
    const upstream = await startUpstream((req, res) => {
      if (req.url === "/gzip")
        res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(rssXml(datedItems(3))));
      else if (req.url === "/big") res.end(rssXml([{ guid: "a", body: "x".repeat(2 << 20) }]));
      else {
        const timer = setInterval(() => res.write(" "), 20);
        res.on("close", () => clearInterval(timer));
      }
    });
    const memory = emptyMemory();
    await sync(`${upstream.origin}/gzip`, memory);

    expect(liveIds(memory)).toHaveLength(3);
    await expect(sync(`${upstream.origin}/big`)).rejects.toMatchObject({ code: "too_large" });
    await expect(sync(`${upstream.origin}/slow`)).rejects.toMatchObject({ code: "too_slow" });
  });
});

describe("documents", () => {
  const documentsOf = async (body: string, more: Partial<SyncSetup> = {}) => {
    const upstream = await startUpstream(send(body, { "content-type": "application/xml" }));
    const record = await sync(upstream.origin, emptyMemory(), more);
    return { ...record, documents: record.pages.flatMap((page) => page.documents), origin: upstream.origin };
  };

  it("hands over everything that makes an edit visible", async () => {
    const { documents, pages } = await documentsOf(
      rssXml(
        [
          {
            guid: "http://tides.example/1",
            title: "Low &lt;b&gt;tide&lt;/b&gt; &amp;amp; more",
            date: "Thu, 05 Mar 2026 10:00:00 +0100",
            body: "short",
            extra: `<content:encoded><![CDATA[<p><a href="/x?a=1&amp;b=2">full</a></p>]]></content:encoded>
              <dc:creator>A. Rowe</dc:creator><category>sea</category><category>moon</category><category>sea</category>
              <enclosure url="/a.mp3" length="123" type="audio/mpeg"/><atom:updated>2026-03-06T00:00:00Z</atom:updated>
              <media:thumbnail url="/t.jpg"/>`,
          },
        ],
        "<ttl>90</ttl><skipHours><hour>0</hour><hour>24</hour><hour>3</hour></skipHours><skipDays><day>Sunday</day></skipDays>",
      ),
    );

    expect(documents).toEqual([
      {
        id: "http://tides.example/1",
        key: "https://tides.example/1",
        title: "Low tide & more",
        text: '<p><a href="http://tides.example/x?a=1&amp;b=2">full</a></p>',
        format: "html",
        url: "http://tides.example/1",
        author: "A. Rowe",
        date: "2026-03-05T09:00:00.000Z",
        metadata: {
          updated: "2026-03-06T00:00:00.000Z",
          summary: "short",
          categories: ["sea", "moon"],
          enclosures: [{ url: "https://tides.example/a.mp3", type: "audio/mpeg", bytes: 123 }],
          image: "https://tides.example/t.jpg",
        },
      },
    ]);
    expect(pages).toMatchObject([
      {
        feedTitle: "Tides",
        hints: { minIntervalSeconds: 5400, skipHoursUtc: [0, 3], skipDaysUtc: [0] },
        cursor: { type: "date", value: "2026-03-05T09:00:00.000Z" },
      },
    ]);
  });

  it("leaves out dates that are missing or nonsense, and is not carried ahead by a date in the future", async () => {
    const now = () => new Date("2026-03-10T00:00:00Z");
    const { documents, pages } = await documentsOf(
      rssXml([
        { guid: "future", date: "Mon, 01 Jan 2031 00:00:00 GMT" },
        { guid: "today", date: "Mon, 09 Mar 2026 00:00:00 GMT" },
        { guid: "missing" },
        { guid: "nonsense", date: "next Tuesday" },
      ]),
      { now },
    );

    expect(documents.map((d) => [d.id, d.date])).toEqual([
      ["future", "2031-01-01T00:00:00.000Z"],
      ["today", "2026-03-09T00:00:00.000Z"],
      ["missing", undefined],
      ["nonsense", undefined],
    ]);
    expect(pages.at(-1)?.cursor).toEqual({ type: "date", value: "2026-03-09T00:00:00.000Z" });
  });

  it("takes absence for nothing when the window rolls, and an explicit tombstone for a delete", async () => {
    const entry = (n: number) =>
      `<entry><id>urn:${n}</id><title>${n}</title><updated>2026-03-0${n}T00:00:00Z</updated></entry>`;
    const upstream = await startUpstream(
      inTurn(
        send(atomXml(entry(2) + entry(1))),
        send(
          atomXml(
            `${entry(3)}${entry(2)}<at:deleted-entry ref="urn:1" when="2026-03-04T00:00:00Z"/><at:deleted-entry ref="urn:3" when="2026-03-01T00:00:00Z"/>`,
          ),
        ),
      ),
    );
    const memory = emptyMemory();
    await sync(upstream.origin, memory);
    const { pages } = await sync(upstream.origin, memory);

    expect(pages[0]?.documents.map((d) => [d.id, d.deleted])).toEqual([
      ["urn:3", undefined],
      ["urn:2", undefined],
      ["urn:1", true],
    ]);
    expect(pages.some((page) => page.complete)).toBe(false);
  });

  it("reads a feed that ends in the middle again, and never hands over half an item", async () => {
    const whole = rssXml(datedItems(3));
    const cut = whole.slice(0, whole.lastIndexOf("Text of 1") + 4);
    const upstream = await startUpstream(
      inTurn(send(cut, { etag: '"cut"' }), send(whole, { etag: '"whole"' })),
    );
    const memory = emptyMemory();
    const first = await sync(upstream.origin, memory);

    expect(first.warnings).toEqual(["truncated"]);
    expect(liveIds(memory)).toEqual(["urn:item:3", "urn:item:2"]);
    await sync(upstream.origin, memory);
    expect(upstream.requests[1]?.headers["if-none-match"]).toBeUndefined();
    expect(liveIds(memory)).toHaveLength(3);
  });
});
