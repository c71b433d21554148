import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { env } from "@/server/env";
import { answerCron } from "@/server/jobs/answer-cron";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { createRestApp } from "@/server/rest/app";
import { readHealth } from "@/server/rest/health";
import { systemOperations } from "@/server/rest/reference/system-operations";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { type Callers, createCallers } from "./callers";
import { checkOperation, type Expectation } from "./check-operation";
import { createForeignWorkspace, type Ids, readAll } from "./foreign-workspace";

type Row = Expectation & { answer(request: Request): Response | Promise<Response> };

const done = async () => ({ claimed: 0, succeeded: 0, failed: 0, remaining: 0, elapsedMs: 0 });
const open = { scope: "public", ok: 200, foreign: 200 } as const;
/** No token and no session opens these: they have a secret of their own. */
const cron: Row = { scope: "public", ok: 401, foreign: 401, answer: (request) => answerCron(request, done) };
const metrics = (request: Request) => answerMetrics(request, () => t.db);

/** What each address outside the routes' table needs and answers. One without a row fails the test. */
const ROWS: Record<string, Row> = {
  "get /api/health": { ...open, answer: () => readHealth(() => t.db) },
  "get /api/v1/openapi.json": { ...open, answer: (request) => createRestApp(() => t.db).fetch(request) },
  "get /api/metrics": { scope: "admin", ok: 200, foreign: 200, answer: metrics },
  "get /api/cron/sync": cron,
  "post /api/cron/sync": cron,
  "get /api/cron/maintain": cron,
  "post /api/cron/maintain": cron,
};
/** Has a matrix of its own, a row per table. */
const ELSEWHERE = ["get /api/export/{table}"];

const t = useDatabase();
let callers: Callers;
let foreign: { workspaceId: number; ids: Ids };
let before: unknown;
beforeAll(async () => {
  foreign = await createForeignWorkspace(t.db);
  callers = await createCallers(t.db, await createCaller(t.db));
  before = await readAll(t.db, foreign.workspaceId);
});
beforeEach(() => {
  env().TIDEMARK_METRICS = "private";
});

const names = Object.entries(systemOperations)
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
  .filter((name) => !ELSEWHERE.includes(name));

function check(name: string, row: Row | undefined) {
  if (!row) throw new Error(`Say in ${import.meta.filename} what ${name} needs and answers.`);
  const [method = "", path = ""] = name.split(" ");
  const call = async (headers: Record<string, string>) => {
    const request = new Request(`http://localhost${path}`, { method: method.toUpperCase(), headers });
    const response = await row.answer(request);
    return { status: response.status, text: await response.text() };
  };
  return checkOperation({ ...row, name, call }, callers, foreign.ids, { sessions: false });
}

describe("outside the API", () => {
  it.each(names)("%s answers everyone as it should", (name) => check(name, ROWS[name]));

  it("get /api/metrics is anybody's where TIDEMARK_METRICS says so", () => {
    env().TIDEMARK_METRICS = "public";
    return check("get /api/metrics", { ...open, answer: metrics });
  });

  it("has no row for what is not there, and has left the other workspace alone", async () => {
    expect(Object.keys(ROWS).sort()).toEqual([...names].sort());
    expect(await readAll(t.db, foreign.workspaceId)).toEqual(before);
  });
});
