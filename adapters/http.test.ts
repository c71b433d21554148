import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { createGuardedFetch, type GuardedFetchOptions, type RequestEvent } from "./http";
import { LOOPBACK, startUpstream } from "./testing/upstream";

const loopbackFetch = (options: Partial<GuardedFetchOptions> = {}) =>
  createGuardedFetch({ allowPrivateNetworks: LOOPBACK, ...options });

const textOf = (response: { body: Uint8Array }) => new TextDecoder().decode(response.body);

describe("bodies", () => {
  it.each([
    ["gzip", gzipSync("tide")],
    ["x-gzip", gzipSync("tide")],
    ["br", brotliCompressSync("tide")],
    ["deflate", deflateSync("tide")],
    ["deflate", deflateRawSync("tide")],
    ["gzip, br", brotliCompressSync(gzipSync("tide"))],
    ["identity", Buffer.from("tide")],
    ["aws-chunked", Buffer.from("tide")],
    ["gzip", Buffer.from("tide")],
  ])("reads a body whose Content-Encoding is %s", async (encoding, bytes) => {
    const upstream = await startUpstream((_, res) =>
      res.writeHead(200, { "content-encoding": encoding }).end(bytes),
    );

    expect(textOf(await loopbackFetch()(`${upstream.origin}/`))).toBe("tide");
  });

  it("reads an empty body that claims to be compressed", async () => {
    const upstream = await startUpstream((_, res) =>
      res.writeHead(304, { "content-encoding": "gzip" }).end(),
    );

    await expect(loopbackFetch()(`${upstream.origin}/`)).resolves.toMatchObject({ status: 304 });
  });

  it("says that a compressed body ended early", async () => {
    const upstream = await startUpstream((_, res) =>
      res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("tide".repeat(1000)).subarray(0, 30)),
    );

    await expect(loopbackFetch()(`${upstream.origin}/`)).rejects.toMatchObject({ code: "protocol" });
  });

  it("sends a request line of 8,000 characters and header bytes unchanged", async () => {
    const upstream = await startUpstream((req, res) =>
      res.writeHead(200, { etag: 'W/"\u00e9-1"', "x-length": String(req.url?.length) }).end(),
    );
    const fetch = loopbackFetch();

    const first = await fetch(`${upstream.origin}/${"a".repeat(8000)}`);
    await fetch(`${upstream.origin}/`, { headers: { "If-None-Match": first.headers.etag ?? "" } });

    expect(first.headers["x-length"]).toBe("8001");
    expect(upstream.requests[1]?.headers["if-none-match"]).toBe('W/"\u00e9-1"');
  });
});

describe("redirects", () => {
  const chain = (statuses: number[]) =>
    startUpstream((req, res) => {
      const step = Number(req.url?.slice(1));
      const status = statuses[step];
      if (status) res.writeHead(status, { location: `/${step + 1}` }).end("moved");
      else res.end("arrived");
    });

  it.each([
    [[301, 308], true],
    [[301, 302, 301], false],
    [[307], false],
    [[], false],
  ])("follows %j; moved permanently: %s", async (statuses, movedPermanently) => {
    const upstream = await chain(statuses);

    const response = await loopbackFetch()(`${upstream.origin}/0`);

    expect(response).toMatchObject({ movedPermanently, url: `${upstream.origin}/${statuses.length}` });
    expect(textOf(response)).toBe("arrived");
  });

  it("follows five redirects and no sixth", async () => {
    const upstream = await chain([301, 302, 303, 307, 308, 301]);

    await expect(loopbackFetch()(`${upstream.origin}/1`)).resolves.toMatchObject({ status: 200 });
    await expect(loopbackFetch()(`${upstream.origin}/0`)).rejects.toMatchObject({
      code: "too_many_redirects",
    });
  });

  it("turns a redirected POST into a GET", async () => {
    const upstream = await startUpstream((req, res) =>
      req.url === "/from" ? res.writeHead(303, { location: "/to" }).end() : res.end(req.method),
    );

    expect(textOf(await loopbackFetch()(`${upstream.origin}/from`, { method: "POST", body: "x" }))).toBe(
      "GET",
    );
  });
});

describe("credentials", () => {
  it("sends userinfo as Basic auth and keeps it within the origin only", async () => {
    const elsewhere = await startUpstream((_, res) => res.end("elsewhere"));
    const upstream = await startUpstream((req, res) =>
      req.url === "/a"
        ? res.writeHead(302, { location: "/b" }).end()
        : res.writeHead(302, { location: elsewhere.origin }).end(),
    );

    await loopbackFetch()(`${upstream.origin.replace("//", "//jo:p%40ss@")}/a`);

    const expected = `Basic ${Buffer.from("jo:p@ss").toString("base64")}`;
    expect(upstream.requests.map((r) => r.headers.authorization)).toEqual([expected, expected]);
    expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("does not take credentials up again when a chain of redirects comes back", async () => {
    const elsewhere = await startUpstream((_, res) =>
      res.writeHead(302, { location: `${upstream.origin}/b` }).end(),
    );
    const upstream = await startUpstream((req, res) =>
      req.url === "/a" ? res.writeHead(302, { location: elsewhere.origin }).end() : res.end(),
    );

    await loopbackFetch({ credentials: { type: "bearer", token: "t0ken" } })(`${upstream.origin}/a`);

    expect(upstream.requests.map((r) => r.headers.authorization)).toEqual(["Bearer t0ken", undefined]);
  });

  it("sends the source's credentials to their own origin alone", async () => {
    const upstream = await startUpstream((_, res) => res.end());
    const other = await startUpstream((_, res) => res.end());
    const fetch = loopbackFetch({
      credentials: { type: "basic", username: "jo", password: "pass" },
      credentialOrigin: upstream.origin,
    });

    await fetch(`${other.origin}/`);
    await fetch(`${upstream.origin}/`);

    expect(other.requests[0]?.headers.authorization).toBeUndefined();
    expect(upstream.requests[0]?.headers.authorization).toMatch(/^Basic /);
  });
});

describe("F43: secrets are masked", () => {
  it("in events, samples and errors", async () => {
    const events: RequestEvent[] = [];
    const upstream = await startUpstream((req, res) =>
      res.writeHead(500).end(`bad request ${req.url} by hunter22 / ${req.headers.authorization}`),
    );
    const fetch = loopbackFetch({ onRequest: (event) => events.push(event) });

    await fetch(`${upstream.origin.replace("//", "//jo:hunter22@")}/feed?key=s3cret-key&page=2`);
    const failure = await fetch("http://jo:hunter22@127.0.0.1:1/feed?key=s3cret-key").catch((error) => error);
    const invalid = await fetch("http://jo:hunter22@exa mple/?key=s3cret-key").catch((error) => error);

    expect(events[0]).toMatchObject({
      url: `${upstream.origin}/feed?key=***&page=2`,
      bodySample: "bad request /feed?key=***&page=2 by *** / Basic ***",
    });
    const shown = JSON.stringify([events, failure.message, failure.info, invalid.message]);
    expect(shown).not.toMatch(/hunter22|s3cret/);
    expect(invalid.code).toBe("invalid_url");
  });
});

describe("events and limiter", () => {
  it("reports each request of a chain and holds a permit during each", async () => {
    const events: RequestEvent[] = [];
    const release = vi.fn();
    const limiter = vi.fn(async () => release);
    const upstream = await startUpstream((req, res) =>
      req.url === "/a"
        ? res.writeHead(301, { location: "/b" }).end()
        : res.writeHead(404).end("nothing here"),
    );

    await loopbackFetch({ onRequest: (event) => events.push(event), limiter })(`${upstream.origin}/a`);

    expect(events).toMatchObject([
      { status: 301, method: "GET" },
      { status: 404, bytes: 12, bodySample: "nothing here" },
    ]);
    expect(limiter.mock.calls).toEqual([[new URL(upstream.origin).host], [new URL(upstream.origin).host]]);
    expect(release).toHaveBeenCalledTimes(2);
  });

  it("stops waiting for a permit when aborted, and gives a late permit back", async () => {
    const controller = new AbortController();
    let grant = (_: () => void) => {};
    const fetch = loopbackFetch({ limiter: () => new Promise((resolve) => (grant = resolve)) });
    const pending = fetch("http://127.0.0.1:1/", { signal: controller.signal });

    controller.abort(new Error("lease lost"));

    await expect(pending).rejects.toThrow("lease lost");
    await new Promise<void>((returned) => grant(returned));
  });

  it("throws the caller's own reason when aborted during a body", async () => {
    const controller = new AbortController();
    const upstream = await startUpstream((_, res) => {
      res.write("begin");
      setImmediate(() => controller.abort(new Error("lease lost")));
    });

    await expect(loopbackFetch()(`${upstream.origin}/`, { signal: controller.signal })).rejects.toThrow(
      "lease lost",
    );
  });
});

describe("failures in words", () => {
  it.each([
    ["http://127.0.0.1:1/", "unavailable", /refused the connection/],
    ["ftp://example.com/", "invalid_url", /Only http and https/],
    ["nonsense", "invalid_url", /not a web address/],
  ])("%s is %s", async (url, code, words) => {
    const error = await loopbackFetch()(url).catch((e) => e);

    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(words);
  });

  it("explains a name that does not exist and a connection cut short", async () => {
    const notFound = Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });
    const upstream = await startUpstream((_, res) => {
      res.writeHead(200, { "content-length": "100" });
      res.write("half");
      setImmediate(() => res.destroy());
    });

    await expect(
      loopbackFetch({ resolve: () => Promise.reject(notFound) })("http://no.such.example/"),
    ).rejects.toThrow(/name that cannot be found/);
    await expect(loopbackFetch()(`${upstream.origin}/`)).rejects.toMatchObject({ code: "unavailable" });
  });
});
