import { expect, it } from "vitest";
import { env } from "@/server/env";
import { answerCron } from "@/server/jobs/answer-cron";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { readApiDescription } from "@/test/openapi-check";
import { RestClient } from "@/test/rest-client";
import { routes } from "./app";
import { codesOf, nameOf } from "./describe-api";
import { readHealth } from "./health";

const t = useDatabase();

it("describes every route with its whole path, parameters, body and errors", async () => {
  const { status, body } = await new RestClient(t.db, null).get("/openapi.json");
  expect(status).toBe(200);
  expect(body.openapi).toBe("3.1.0");
  for (const route of routes) {
    const operation = body.paths[`/api/v1${route.path}`]?.[route.method];
    expect(operation, `${route.method} ${route.path}`).toBeDefined();
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const documented = operation.parameters?.filter((p: { in: string }) => p.in === "path") ?? [];
    expect(documented.map((p: { name: string }) => p.name)).toEqual(names);
    expect(operation.responses.default.content["application/problem+json"]).toBeDefined();
    if (route.body) expect(operation.requestBody.content["application/json"].schema).toBeDefined();
  }
  const limit = body.paths["/api/v1/sources"].get.parameters.find(
    (p: { name: string }) => p.name === "limit",
  );
  expect(limit).toMatchObject({
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 1, maximum: 200 },
  });
  expect(body.components.schemas).toHaveProperty("Feed");
  expect(body.components.securitySchemes.bearer).toEqual({ type: "http", scheme: "bearer" });
});

it("says of every operation what it does and every code it can fail with", async () => {
  const { body } = await new RestClient(t.db, null).get("/openapi.json");
  const ids = new Set<string>();
  for (const route of routes) {
    const name = nameOf(route);
    const operation = body.paths[`/api/v1${route.path}`][route.method];
    expect(operation.summary, name).toMatch(/^[A-Z].{5,}/);
    expect(operation.description, name).toMatch(/.{20,}\n\nScope: `[a-z:]+`\.$/s);
    ids.add(operation.operationId);
    const told = Object.values<{ description: string }>(operation.responses).map(
      (response) => response.description,
    );
    for (const code of codesOf(route)) expect(told.join("\n"), name).toContain(`\`${code}\`: `);
  }
  expect(ids.size, "operation ids are unique").toBe(routes.length);
});

const noDatabase = (): never => {
  throw new Error("connect ECONNREFUSED");
};

it("describes health, metrics and cron as they answer", async () => {
  const description = readApiDescription((await new RestClient(t.db, null).get("/openapi.json")).body);
  const check = async (path: string, method: string, response: Response) =>
    description.expectOperation(path, method, {
      status: response.status,
      headers: response.headers,
      body: response.headers.get("content-type")?.includes("json")
        ? await response.json()
        : await response.text(),
    });
  await check("/api/health", "get", await readHealth(() => t.db));
  await check("/api/health", "get", await readHealth(noDatabase));
  const caller = await createCaller(t.db);
  for (const scopes of [["admin"], ["runs:read"], null] as const) {
    const { token } = scopes ? await RestClient.create(t.db, caller, scopes) : { token: "none" };
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request("http://localhost/api/metrics", { headers });
    await check("/api/metrics", "get", await answerMetrics(request, () => t.db));
  }
  const cron = (secret: string) =>
    answerCron(
      new Request("http://localhost/", { headers: { authorization: `Bearer ${secret}` } }),
      async () => ({
        claimed: 1,
        succeeded: 1,
        failed: 0,
        remaining: 0,
        elapsedMs: 3,
      }),
    );
  await check("/api/cron/sync", "post", await cron(env().CRON_SECRET ?? ""));
  await check("/api/cron/maintain", "get", await cron("wrong"));
});

it("lists adapters with JSON Schema of their config", async () => {
  const api = await RestClient.create(t.db, await createCaller(t.db));
  const { items } = (await api.get("/adapters")).body;
  const rss = items.find((item: { type: string }) => item.type === "rss");
  expect(rss).toMatchObject({ watermark: "date", externalKeyIsUrl: true, configSchema: { type: "object" } });
});

it("tells its health to everyone: 200 with the epoch, 503 without the database", async () => {
  const healthy = await readHealth(() => t.db);
  expect(healthy.status).toBe(200);
  const { epoch } = await t.db.instance.findUniqueOrThrow({ where: { id: 1 } });
  expect(await healthy.json()).toEqual({ status: "ok", version: expect.any(String), database: "ok", epoch });
  const broken = await readHealth(() => {
    throw new Error("connect ECONNREFUSED 10.0.0.7:5432 password=hunter2");
  });
  expect(broken.status).toBe(503);
  expect(JSON.stringify(await broken.json())).not.toMatch(/hunter2|10\.0\.0\.7/);
});
