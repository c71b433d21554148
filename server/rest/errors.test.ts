import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { createRestApp } from "./app";
import { problemSchema } from "./schemas";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

describe("the error format", () => {
  it("is a problem document with code and request id, on every kind of failure", async () => {
    const feed = await createFeed(t.db, caller);
    const failures = [
      [await new RestClient(t.db, null).get("/sources"), 401, "unauthenticated"],
      [await api.get("/nowhere"), 404, "not_found"],
      [await api.get("/search?q=ebb"), 404, "not_found"],
      [await api.get("/feeds/feed_01jz0000000000000000000000"), 404, "feed_not_found"],
      [await api.get("/feeds/%00"), 404, "feed_not_found"],
      [await api.get("/documents/robert'); drop table"), 404, "not_found"],
      [await api.request("PUT", `/feeds/${feed.id}`, { body: {} }), 405, "method_not_allowed"],
      [await api.request("POST", "/openapi.json", { body: {} }), 405, "method_not_allowed"],
      [await api.get("/sources?limit=0"), 422, "invalid_request"],
      [await api.post("/sources", { type: "api", name: 7 }), 422, "invalid_request"],
      [await api.request("POST", "/sources", { raw: "{" }), 400, "malformed_json"],
    ] as const;
    for (const [answer, status, code] of failures) {
      expect(answer).toMatchObject({ status, body: { status, code } });
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(problemSchema.parse(answer.body).requestId).toBe(answer.headers.get("x-request-id"));
    }
  });

  it("lists each bad field with its path", async () => {
    const { body } = await api.post("/sources", {
      type: "api",
      name: "",
      feeds: [{ externalKey: "ok" }, { externalKey: 5, intervalSeconds: -1 }],
    });
    expect(body).toMatchObject({ status: 422, code: "invalid_request" });
    expect(body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      "feeds[1].externalKey",
      "feeds[1].intervalSeconds",
      "name",
    ]);
  });

  it("names the methods a path has", async () => {
    const answer = await api.request("PUT", "/sources", { body: {} });
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("echoes a harmless request id and replaces another", async () => {
    const mine = await api.request("GET", "/sources", { headers: { "x-request-id": "deploy-42.a" } });
    expect(mine.headers.get("x-request-id")).toBe("deploy-42.a");
    const odd = await api.request("GET", "/sources", {
      headers: { "x-request-id": "<script>alert(1)</script>" },
    });
    expect(odd.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/);
  });

  it("hides what nobody expected, and logs it under the request id", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const broken = new Proxy(t.db, {
      get: (db, name) => {
        if (name === "source") throw new TypeError("secret internals at /srv/db.ts");
        return Reflect.get(db, name);
      },
    }) as Db;
    const answer = await new RestClient(broken, api.token).get(
      "/sources/src_01jz0000000000000000000000/feeds",
    );
    expect(answer).toMatchObject({ status: 500, body: { code: "internal_error" } });
    expect(JSON.stringify(answer.body)).not.toContain("secret internals");
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ requestId: answer.body.requestId, err: expect.any(TypeError) }),
      "unexpected error",
    );
    logged.mockRestore();
  });
});

describe("bodies", () => {
  it("may carry fields that nobody knows", async () => {
    const answer = await api.post("/sources", { type: "api", name: "Extra", colour: "teal" });
    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty("colour");
  });

  it("are refused over 8 MiB, announced or not, before anything is parsed", async () => {
    const feed = await createFeed(t.db, caller);
    const path = `/feeds/${feed.id}/documents`;
    const announced = await api.request("POST", path, {
      raw: "{}",
      headers: { "content-length": String(9 * 1024 * 1024) },
    });
    expect(announced).toMatchObject({ status: 413, body: { code: "body_too_large" } });
    const streamed = await api.request("POST", path, { raw: new Uint8Array(8 * 1024 * 1024 + 1) });
    expect(streamed).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  });

  it("stop being read at the limit", async () => {
    const feed = await createFeed(t.db, caller);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      },
    });
    const response = await createRestApp(() => t.db).request(`/api/v1/feeds/${feed.id}/documents`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}` },
      body: endless,
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(12);
  });

  it("are taken at 8 MiB sharp", async () => {
    const feed = await createFeed(t.db, caller);
    const start = '{"documents":[],"pad":"';
    const raw = `${start}${"x".repeat(8 * 1024 * 1024 - start.length - 2)}"}`;
    expect((await api.request("POST", `/feeds/${feed.id}/documents`, { raw })).status).toBe(200);
  });

  it("must be JSON in UTF-8; a byte order mark is forgiven", async () => {
    const feed = await createFeed(t.db, caller);
    const path = `/feeds/${feed.id}/documents`;
    const latin1 = Buffer.from('{"documents":[{"id":"caf\xe9"}]}', "latin1");
    expect(await api.request("POST", path, { raw: latin1 })).toMatchObject({
      status: 400,
      body: { code: "malformed_json" },
    });
    for (const raw of ["", "null", "[]", '"text"', "7"]) {
      expect((await api.request("POST", path, { raw })).body.code, raw).toBe("invalid_request");
    }
    for (const raw of ["{", "{'a':1}", '{"a":NaN}', "<xml/>"]) {
      expect((await api.request("POST", path, { raw })).body.code, raw).toBe("malformed_json");
    }
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"documents":[]}')]);
    expect((await api.request("POST", path, { raw: marked })).status).toBe(200);
  });
});

describe("compressed bodies", () => {
  const push = async (raw: Uint8Array, encoding: string) => {
    const feed = await createFeed(t.db, caller);
    return api.request("POST", `/feeds/${feed.id}/documents`, {
      raw,
      headers: { "content-encoding": encoding },
    });
  };

  it("are taken with gzip", async () => {
    const body = gzipSync(JSON.stringify({ documents: [{ id: "a", text: "Ebb ".repeat(10_000) }] }));
    for (const encoding of ["gzip", "x-gzip", "GZIP"]) {
      expect(await push(body, encoding), encoding).toMatchObject({ status: 200, body: { created: 1 } });
    }
    expect(await push(Buffer.from('{"documents":[]}'), "identity")).toMatchObject({ status: 200 });
  });

  it("are refused once they become more than 8 MiB, without becoming it", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, " "));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    expect(await push(bomb, "gzip")).toMatchObject({ status: 413, body: { code: "body_too_large" } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  it("are refused in any other encoding, by name and in words", async () => {
    for (const encoding of ["br", "deflate", "zstd", "gzip, gzip", "compress", "nonsense"]) {
      const refused = await push(Buffer.from("{}"), encoding);
      expect(refused, encoding).toMatchObject({ status: 415, body: { code: "unsupported_encoding" } });
      expect(refused.headers.get("accept-encoding")).toBe("gzip");
    }
  });

  it("must be what they say", async () => {
    const whole = gzipSync('{"documents":[]}');
    for (const raw of [Buffer.from('{"documents":[]}'), whole.subarray(0, -6), Buffer.alloc(0)]) {
      expect(await push(raw, "gzip")).toMatchObject({ status: 400, body: { code: "malformed_json" } });
    }
  });
});

describe("lists", () => {
  it("refuse what is out of range or was never handed out", async () => {
    const feed = await createFeed(t.db, caller);
    const paths = [
      "/sources",
      `/sources/${feed.sourceId}/feeds`,
      `/feeds/${feed.id}/documents`,
      `/feeds/${feed.id}/rejections`,
      `/feeds/${feed.id}/held-deletes`,
      `/feeds/${feed.id}/cursor-transitions`,
      "/runs",
      "/adapters",
      "/webhooks",
    ];
    const bad = [
      "limit=0",
      "limit=201",
      "limit=-1",
      "limit=1.5",
      "limit=1e2",
      "limit=abc",
      "limit=",
      "after=",
      "after=nonsense",
      "after=%00",
      `after=${Buffer.from("other:src_1").toString("base64url")}`,
    ];
    for (const path of paths) {
      for (const query of bad) {
        const answer = await api.get(`${path}?${query}`);
        expect(answer, `${path}?${query}`).toMatchObject({ status: 422, body: { code: "invalid_request" } });
        expect(answer.body.errors[0].path).toBe(query.split("=")[0]);
      }
    }
    for (const place of ["src_zzz", "1e5", "9223372036854775808", "9".repeat(40)]) {
      const after = Buffer.from(`documents:${place}`).toString("base64url");
      expect(await api.get(`/feeds/${feed.id}/documents?after=${after}`), place).toMatchObject({
        status: 422,
        body: { errors: [{ path: "after" }] },
      });
    }
    const times = ["since=0000-06-01T00:00:00Z", "since=0001-01-01T00:00:00%2B14:00"];
    times.push("until=9999-12-31T23:59:59-12:00", "until=2026-01-01T00:00:00%2B99:00");
    for (const query of [...times, "status=odd", "since=yesterday", "feedId=5", "trigger=", "executor=me"]) {
      expect((await api.get(`/runs?${query}`)).status, query).toBe(422);
    }
    expect((await api.get(`/feeds/${feed.id}/documents?deleted=maybe`)).status).toBe(422);
  });
});

describe("rate limits", () => {
  it("answer 429 with Retry-After once the burst is used up", async () => {
    const usual = env().TIDEMARK_RATE_LIMIT;
    env().TIDEMARK_RATE_LIMIT = 3;
    onTestFinished(() => {
      env().TIDEMARK_RATE_LIMIT = usual;
    });
    // Tokens of this test's own: a bucket that was small takes seconds to fill again.
    const [eager, other] = [await RestClient.create(t.db, caller), await RestClient.create(t.db, caller)];
    const answers = await Promise.all(Array.from({ length: 60 }, () => eager.get("/adapters")));
    const refused = answers.find(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(30);
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused?.headers.get("ratelimit-limit")).toBe("30");
    expect(refused?.headers.get("ratelimit-remaining")).toBe("0");
    expect((await other.get("/adapters")).status, "another token is not affected").toBe(200);
  });

  it("tell with every answer what is left", async () => {
    const answer = await api.get("/adapters");
    expect(answer.headers.get("ratelimit-limit")).toBe("3000");
    expect(answer.headers.get("ratelimit-policy")).toBe("3000;w=10");
    expect(Number(answer.headers.get("ratelimit-remaining"))).toBeGreaterThan(2000);
    expect(answer.headers.get("ratelimit-reset")).toMatch(/^\d+$/);
  });

  it("let one token have so many requests at the same time, and free each place when it ends", async () => {
    const usual = env().TIDEMARK_MAX_CONCURRENT;
    env().TIDEMARK_MAX_CONCURRENT = 2;
    onTestFinished(() => {
      env().TIDEMARK_MAX_CONCURRENT = usual;
    });
    const feed = await createFeed(t.db, caller);
    const app = createRestApp(() => t.db);
    const ends: (() => void)[] = [];
    /** A push whose body does not end before it is told to. */
    const push = () =>
      app.request(`/api/v1/feeds/${feed.id}/documents`, {
        method: "POST",
        headers: { authorization: `Bearer ${api.token}` },
        body: new ReadableStream({
          start(controller) {
            ends.push(() => {
              controller.enqueue(new TextEncoder().encode('{"documents":[]}'));
              controller.close();
            });
          },
        }),
        duplex: "half",
      } as RequestInit);
    const first = [push(), push()];
    await vi.waitFor(async () => {
      const refused = await api.get("/adapters");
      expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
      expect(refused.headers.get("retry-after")).toBe("1");
    });
    expect((await api.get("/changes")).status, "a follower has a seat instead").toBe(200);
    const other = await RestClient.create(t.db, caller);
    expect((await other.get("/adapters")).status).toBe(200);
    for (const end of ends) end();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await api.get("/adapters")).status).toBe(200);
  });
});
