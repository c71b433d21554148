import { beforeAll, expect, it } from "vitest";
import type { Scope } from "@/server/access/principal";
import { answerExport } from "@/server/export/answer-export";
import { exportTables } from "@/server/export/tables";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { createTrpcContext } from "@/test/trpc-handler";
import { type Callers, createCallers } from "./callers";
import { checkOperation } from "./check-operation";
import { createForeignWorkspace, type Ids, readAll } from "./foreign-workspace";

/** What each table needs. A table without a row fails the test. */
const ROWS: Record<string, Scope> = {
  sources: "sources:read",
  feeds: "sources:read",
  runs: "runs:read",
  documents: "documents:read",
  rejections: "documents:read",
  tokens: "admin",
  opml: "sources:read",
};

const t = useDatabase();
let callers: Callers;
let foreign: { workspaceId: number; ids: Ids };
let before: unknown;
beforeAll(async () => {
  foreign = await createForeignWorkspace(t.db);
  callers = await createCallers(t.db, await createCaller(t.db));
  before = await readAll(t.db, foreign.workspaceId);
});

it.each([...Object.keys(exportTables), "opml"])(
  "get /api/export/%s answers everyone as it should",
  (table) => {
    const scope = ROWS[table];
    if (!scope) throw new Error(`Say in ${import.meta.filename} what the export of ${table} needs.`);
    const call = async (headers: Record<string, string>) => {
      const context = await createTrpcContext(t.db, new Headers(headers));
      const response = await answerExport(t.db, table, new URLSearchParams(), context);
      return { status: response.status, text: await response.text() };
    };
    const operation = { name: `get /api/export/${table}`, scope, ok: 200, foreign: 200, call };
    return checkOperation(operation, callers, foreign.ids, { sessions: true });
  },
);

it("has no row for what is not there, and has left the other workspace alone", async () => {
  expect(Object.keys(ROWS).sort()).toEqual([...Object.keys(exportTables), "opml"].sort());
  expect(await readAll(t.db, foreign.workspaceId)).toEqual(before);
});
