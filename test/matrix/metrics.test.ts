import { beforeAll, expect, it } from "vitest";
import { env } from "@/server/env";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { type Callers, createCallers } from "./callers";
import { checkOperation, type Expectation } from "./check-operation";
import { createForeignWorkspace, type Ids, readAll } from "./foreign-workspace";

const t = useDatabase();
let callers: Callers;
let foreign: { workspaceId: number; ids: Ids };
beforeAll(async () => {
  foreign = await createForeignWorkspace(t.db);
  callers = await createCallers(t.db, await createCaller(t.db));
});

async function call(headers: Record<string, string>) {
  const response = await answerMetrics(new Request("http://localhost/api/metrics", { headers }), () => t.db);
  return { status: response.status, text: await response.text() };
}

it.each([
  ["private", "admin"],
  ["public", "public"],
] as const)("get /api/metrics answers everyone as it should, %s", async (setting, scope) => {
  env().TIDEMARK_METRICS = setting;
  const before = await readAll(t.db, foreign.workspaceId);
  const expectation: Expectation = { scope, ok: 200, foreign: 200 };
  const operation = { ...expectation, name: "get /api/metrics", call };
  await checkOperation(operation, callers, foreign.ids, { sessions: false });
  expect(await readAll(t.db, foreign.workspaceId)).toEqual(before);
});
