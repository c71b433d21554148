import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHostFetch } from "./host-fetch.ts";
import { throwForStatus } from "./throw-for-status.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Two sites, so that a redirect can leave one for the other. */
const sites: { server: Server; origin: string; answer: Handler; seen: IncomingMessage[] }[] = [];
beforeAll(async () => {
  for (let n = 0; n < 2; n++) {
    const site = { origin: "", answer: (() => {}) as Handler, seen: [] as IncomingMessage[] };
    const server = createServer((request, response) => {
      site.seen.push(request);
      site.answer(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    sites.push(Object.assign(site, { server }));
  }
});
afterAll(() => {
  for (const { server } of sites) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  for (const site of sites) {
    site.seen.length = 0;
    site.answer = (_, response) => response.end("ok");
  }
});
const [one, two] = [() => site(0), () => site(1)];
function site(n: number) {
  const found = sites[n];
  if (!found) throw new Error("no such site");
  return found;
}
const redirect =
  (to: string, status = 301): Handler =>
  (_, response) =>
    response.writeHead(status, { location: to }).end();

describe("the host's fetch", () => {
  it("answers with any status, lower-case headers and the decoded body", async () => {
    one().answer = (_, response) => {
      response.writeHead(418, { "X-Kind": "teapot", "content-encoding": "gzip" }).end(gzipSync("short"));
    };
    const answer = await createHostFetch()(`${one().origin}/a`);
    expect(answer).toMatchObject({ status: 418, url: `${one().origin}/a`, movedPermanently: false });
    expect(answer.headers["x-kind"]).toBe("teapot");
    expect(new TextDecoder().decode(answer.body)).toBe("short");
  });

  it("follows redirects, says whether they are permanent, and takes credentials nowhere else", async () => {
    const credentials = { type: "bearer", token: "secret-token" } as const;
    one().answer = redirect(`${two().origin}/there`);
    const answer = await createHostFetch({ credentials })(`${one().origin}/a`, {
      headers: { cookie: "a=b" },
    });
    expect(answer).toMatchObject({ url: `${two().origin}/there`, movedPermanently: true });
    expect(one().seen[0]?.headers).toMatchObject({ authorization: "Bearer secret-token", cookie: "a=b" });
    expect(two().seen[0]?.headers.authorization).toBeUndefined();
    expect(two().seen[0]?.headers.cookie).toBeUndefined();
    one().answer = redirect(`${two().origin}/there`, 302);
    expect((await createHostFetch()(`${one().origin}/a`)).movedPermanently).toBe(false);
  });

  it("does not give a credential back to the site that it came from by way of another", async () => {
    const credentials = { type: "bearer", token: "secret-token" } as const;
    one().answer = (request, response) =>
      request.url === "/back" ? response.end("ok") : redirect(`${two().origin}/there`)(request, response);
    two().answer = redirect(`${one().origin}/back`);
    await createHostFetch({ credentials })(`${one().origin}/a`, { headers: { cookie: "a=b" } });
    expect(
      one().seen.map(({ url, headers: { authorization, cookie } }) => [url, authorization, cookie]),
    ).toEqual([
      ["/a", "Bearer secret-token", "a=b"],
      ["/back", undefined, undefined],
    ]);
  });

  it("sends what stands in the address as a header, and credentials to their own origin alone", async () => {
    const credentials = { type: "basic", username: "me", password: "pä%" } as const;
    const fetch = createHostFetch({ credentials, credentialOrigin: two().origin });
    await fetch(`${one().origin}/a`);
    await fetch(`${two().origin}/a`);
    await fetch(`${one().origin.replace("://", "://you:x%25y@")}/a`);
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    expect(one().seen.map(({ headers }) => headers.authorization)).toEqual([undefined, basic("you:x%y")]);
    expect(two().seen[0]?.headers.authorization).toBe(basic("me:pä%"));
  });

  it("stops at five redirects, at its time limit, at its cap, and when it is told to", async () => {
    one().answer = redirect("/again");
    await expect(createHostFetch()(one().origin)).rejects.toMatchObject({ code: "too_many_redirects" });
    expect(one().seen).toHaveLength(6);

    one().answer = (_, response) => response.write("never ends");
    const slow = createHostFetch({ totalMs: 100 })(one().origin);
    await expect(slow).rejects.toMatchObject({ code: "too_slow", info: { retryable: true } });

    one().answer = (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(3000)));
    const large = createHostFetch()(one().origin, { maxBytes: 2000 });
    await expect(large).rejects.toMatchObject({ code: "too_large", info: { retryable: false } });

    const ending = new AbortController();
    const reason = new Error("enough");
    one().answer = () => ending.abort(reason);
    const aborted = createHostFetch()(one().origin, { signal: ending.signal });
    await expect(aborted).rejects.toBe(reason);
    await expect(createHostFetch()(one().origin, { signal: ending.signal })).rejects.toBe(reason);
  });

  it.each([
    ["http://127.0.0.1:1/", "unavailable"],
    ["ftp://example.org/", "invalid_url"],
    ["no address", "invalid_url"],
  ])("explains %s as %s", async (url, code) => {
    await expect(createHostFetch()(url)).rejects.toMatchObject({ name: "UpstreamError", code });
  });
});

it("a rate limit says until when", async () => {
  const now = new Date("2026-06-14T09:00:00Z");
  const limited = async (retryAfter: string) => {
    one().answer = (_, response) =>
      response
        .writeHead(429, { "retry-after": retryAfter })
        .end("slow\0 down, https://x.example/?token=abcdef");
    const answer = await createHostFetch()(one().origin);
    try {
      throwForStatus(answer, now);
    } catch (error) {
      return error;
    }
  };
  expect(await limited("90")).toMatchObject({
    code: "rate_limited",
    info: {
      retryAt: new Date("2026-06-14T09:01:30Z"),
      detail: "slow down, https://x.example/?token=***",
    },
  });
  expect(await limited("Mon, 15 Jun 2026 09:00:00 GMT")).toMatchObject({
    info: { retryAt: new Date("2026-06-15T09:00:00Z") },
  });
  expect(await limited("99999999")).toMatchObject({ info: { retryAt: new Date("2026-06-15T09:00:00Z") } });
});
