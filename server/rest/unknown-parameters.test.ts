import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { type ApiDescription, readApiDescription } from "@/test/openapi-check";
import { RestClient } from "@/test/rest-client";
import { routes } from "./app";
import { nameOf } from "./describe-api";

const t = useDatabase();
let api: RestClient;
let description: ApiDescription;
beforeAll(async () => {
  api = await RestClient.create(t.db, await createCaller(t.db));
  description = readApiDescription((await api.get("/openapi.json")).body);
});

type Operation = { parameters?: { name: string; in: string }[] };

/** Names of the parameters that openapi.json gives to a route. */
function documented(route: (typeof routes)[number]): string[] {
  const paths = description.document.paths as Record<string, Record<string, Operation>>;
  const { parameters = [] } = paths[`/api/v1${route.path}`]?.[route.method] ?? {};
  return parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
}

/** An address of the route, of things that nobody has. */
function address(path: string): string {
  const prefixes: Record<string, string> = {
    documentId: "doc",
    runId: "run",
    holdId: "hold",
    rejectionId: "rej",
    sourceId: "src",
    feedId: "feed",
    webhookId: "whk",
    deliveryId: "dlv",
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `${prefixes[name]}_01jz0000000000000000000000`);
}

const ask = (route: (typeof routes)[number], query: string) =>
  api.request(route.method.toUpperCase(), `${address(route.path)}?${query}`);

describe("a query parameter", () => {
  it.each(routes.map((route) => [nameOf(route), route] as const))(
    "of %s that it does not know is refused, with those that it knows",
    async (_, route) => {
      const answer = await ask(route, "limt=5&dryRun=true");
      description.expectAnswer(route, answer);
      expect(answer).toMatchObject({ status: 422, body: { code: "invalid_request" } });
      const [limt, dryRun] = answer.body.errors;
      expect([limt, dryRun]).toMatchObject([
        { path: "limt", code: "unknown_parameter" },
        { path: "dryRun", code: "unknown_parameter" },
      ]);
      const known = documented(route);
      for (const name of known) expect(limt.message).toContain(name);
      if (known.length === 0) expect(limt.message).toContain("takes none");
      expect(answer.body.detail).toMatch(/^limt: Is no query parameter/);
    },
  );

  it.each(routes.map((route) => [nameOf(route), route] as const))(
    "of %s that openapi.json names is not, unless it is given twice",
    async (_, route) => {
      const known = documented(route);
      // Values that none takes: the route itself must not begin to work.
      const once = await ask(route, known.map((name) => `${name}=%00`).join("&"));
      const codes = (once.body?.errors ?? []).map(({ code }: { code: string }) => code);
      expect(codes).not.toContain("unknown_parameter");
      const [name] = known;
      if (name === undefined) return;
      expect(await ask(route, `${name}=1&${name}=1`)).toMatchObject({
        status: 422,
        body: { errors: [{ path: name, code: "repeated_parameter" }] },
      });
    },
  );

  it("is not looked at before access is, and names of any length come back cut", async () => {
    expect((await new RestClient(t.db, null).get("/sources?limt=5")).status).toBe(401);
    const poor = await RestClient.create(t.db, await createCaller(t.db), ["runs:read"]);
    expect((await poor.get("/sources?limt=5")).status).toBe(403);
    const many = Array.from({ length: 200 }, (_, i) => `${i}${"x".repeat(200)}=1`).join("&");
    const { body } = await api.get(`/sources?${many}`);
    expect(body.errors).toHaveLength(20);
    expect(body.errors[0].path).toHaveLength(100);
  });

  it("named like what objects have anyway is unknown too", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(await api.get(`/sources?${name}=1`), name).toMatchObject({
        status: 422,
        body: { errors: [{ path: name, code: "unknown_parameter" }] },
      });
    }
  });

  it("where the body decides does nothing: a reset that was only to be tried is none", async () => {
    const caller = await createCaller(t.db);
    const own = await RestClient.create(t.db, caller);
    const feed = await createFeed(t.db, caller, { watermark: "idSet", cursor: "7" });
    const answer = await own.post(`/feeds/${feed.id}/reset?dryRun=true`, { to: null, reason: "curious" });
    expect(answer.status).toBe(422);
    expect((await own.get(`/feeds/${feed.id}`)).body.cursor).toBe("7");
  });
});

describe("the lists that are short", () => {
  it("are paged like all others", async () => {
    for (const url of ["https://a.example/", "https://b.example/", "https://c.example/"]) {
      expect((await api.post("/webhooks", { url, events: ["run.failed"] })).status).toBe(201);
    }
    for (const list of ["/webhooks", "/adapters"]) {
      const all = (await api.get(list)).body.items;
      expect(all.length).toBeGreaterThan(1);
      const walked = [];
      for (let after = ""; ; ) {
        const { items, nextAfter } = (await api.get(`${list}?limit=1${after}`)).body;
        walked.push(...items);
        if (nextAfter === null) break;
        after = `&after=${nextAfter}`;
      }
      expect(walked).toEqual(all);
    }
  });
});

it("lets one address serve a page and a stream", async () => {
  const stream = await api.request("HEAD", "/changes/stream?limit=10&wait=20&text=true&cursor=now");
  expect(stream.status).toBe(200);
});
