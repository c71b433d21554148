import { beforeAll, describe, expect, it } from "vitest";
import { createRestApp, routes } from "@/server/rest/app";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { type Callers, createCallers } from "./callers";
import { checkOperation, type Expectation, type Operation } from "./check-operation";
import { createForeignWorkspace, type Ids, readAll } from "./foreign-workspace";

type Row = Expectation & { query?: string; body?: unknown };

const SOURCE = { type: "api", name: "Matrix", key: "matrix" };
const WEBHOOK = { url: "https://hooks.example.org/x", events: ["run.failed"] };

/** What each route needs and answers. A route without a row fails the test. */
const ROWS: Record<string, Row> = {
  "get /adapters": { scope: "sources:read", ok: 200, foreign: 200 },
  "get /sources": { scope: "sources:read", ok: 200, foreign: 200 },
  "post /sources": { scope: "sources:write", ok: 200, foreign: 200, body: SOURCE },
  "get /sources/{sourceId}": { scope: "sources:read", ok: 404, foreign: 404 },
  "patch /sources/{sourceId}": { scope: "sources:write", ok: 404, foreign: 404, body: { name: "x" } },
  "delete /sources/{sourceId}": { scope: "sources:write", ok: 404, foreign: 404 },
  "post /sources/{sourceId}/pause": { scope: "sources:write", ok: 404, foreign: 404 },
  "post /sources/{sourceId}/resume": { scope: "sources:write", ok: 404, foreign: 404 },
  "post /sources/{sourceId}/sync": { scope: "runs:write", ok: 404, foreign: 404 },
  "get /sources/{sourceId}/feeds": { scope: "sources:read", ok: 404, foreign: 404 },
  "post /sources/{sourceId}/feeds": {
    scope: "sources:write",
    ok: 404,
    foreign: 404,
    body: { externalKey: "mine" },
  },
  "get /feeds/{feedId}": { scope: "sources:read", ok: 404, foreign: 404 },
  "patch /feeds/{feedId}": { scope: "sources:write", ok: 404, foreign: 404, body: { name: "x" } },
  "delete /feeds/{feedId}": { scope: "sources:write", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/pause": { scope: "sources:write", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/resume": { scope: "sources:write", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/sync": { scope: "runs:write", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/reset": {
    scope: "sources:write",
    ok: 404,
    foreign: 404,
    body: { to: null, reason: "curious" },
  },
  "get /feeds/{feedId}/cursor-transitions": { scope: "sources:read", ok: 404, foreign: 404 },
  "get /feeds/{feedId}/held-deletes": { scope: "sources:read", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/held-deletes/{holdId}/approve": { scope: "admin", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/held-deletes/{holdId}/dismiss": { scope: "admin", ok: 404, foreign: 404 },
  "get /feeds/{feedId}/documents": { scope: "documents:read", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/documents": {
    scope: "documents:write",
    ok: 404,
    foreign: 404,
    body: { documents: [{ id: "b" }], cursor: "9" },
  },
  "get /feeds/{feedId}/documents/by-external-id": {
    scope: "documents:read",
    ok: 404,
    foreign: 404,
    query: "?id=of-another-workspace",
  },
  "get /documents/{documentId}": { scope: "documents:read", ok: 404, foreign: 404 },
  "get /feeds/{feedId}/rejections": { scope: "documents:read", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/rejections/{rejectionId}/retry": {
    scope: "documents:write",
    ok: 404,
    foreign: 404,
    body: {},
  },
  "get /runs": { scope: "runs:read", ok: 200, foreign: 200 },
  "get /runs/{runId}": { scope: "runs:read", ok: 404, foreign: 404 },
  "post /feeds/{feedId}/runs": { scope: "runs:write", ok: 404, foreign: 404, body: {} },
  "post /runs/{runId}/heartbeat": { scope: "runs:write", ok: 404, foreign: 404 },
  "post /runs/{runId}/restart": { scope: "runs:write", ok: 404, foreign: 404, body: { reason: "x" } },
  "post /runs/{runId}/finish": { scope: "runs:write", ok: 404, foreign: 404, body: { status: "failed" } },
  "get /changes": { scope: "changes:read", ok: 200, foreign: 200 },
  "get /changes/head": { scope: "changes:read", ok: 200, foreign: 200 },
  "get /changes/stream": { scope: "changes:read", ok: 200, foreign: 200 },
  "get /webhooks": { scope: "admin", ok: 200, foreign: 200 },
  "post /webhooks": { scope: "admin", ok: 201, foreign: 201, body: WEBHOOK },
  "get /webhooks/{webhookId}": { scope: "admin", ok: 404, foreign: 404 },
  "patch /webhooks/{webhookId}": { scope: "admin", ok: 404, foreign: 404, body: { description: "x" } },
  "delete /webhooks/{webhookId}": { scope: "admin", ok: 404, foreign: 404 },
  "post /webhooks/{webhookId}/test": { scope: "admin", ok: 404, foreign: 404 },
  "post /webhooks/{webhookId}/rotate": { scope: "admin", ok: 404, foreign: 404, body: {} },
  "get /webhooks/{webhookId}/deliveries": { scope: "admin", ok: 404, foreign: 404 },
  "get /webhooks/{webhookId}/deliveries/{deliveryId}": { scope: "admin", ok: 404, foreign: 404 },
  "post /webhooks/{webhookId}/deliveries/{deliveryId}/resend": { scope: "admin", ok: 404, foreign: 404 },
};

const t = useDatabase();
let app: ReturnType<typeof createRestApp>;
let callers: Callers;
let foreign: { workspaceId: number; ids: Ids };
let before: unknown;
beforeAll(async () => {
  app = createRestApp(() => t.db);
  foreign = await createForeignWorkspace(t.db);
  const mine = await createCaller(t.db);
  callers = await createCallers(t.db, mine);
  await app.request("/api/v1/sources", {
    method: "POST",
    headers: callers.all,
    body: JSON.stringify(SOURCE),
  });
  before = await readAll(t.db, foreign.workspaceId);
});

const names = routes.map(({ method, path }) => `${method} ${path}`);

function operationOf(name: string): Operation {
  const row = ROWS[name];
  if (!row) throw new Error(`Say in ${import.meta.filename} what ${name} needs and answers.`);
  const [method = "", path = ""] = name.split(" ");
  return {
    ...row,
    name,
    async call(headers, ids) {
      const url = path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id as keyof Ids]) + (row.query ?? "");
      const response = await app.request(`/api/v1${url}`, {
        method: method.toUpperCase(),
        headers,
        ...(row.body !== undefined && { body: JSON.stringify(row.body) }),
      });
      const isStream = response.headers.get("content-type")?.includes("event-stream");
      if (!isStream) return { status: response.status, text: await response.text() };
      await response.body?.cancel();
      return { status: response.status, text: "" };
    },
  };
}

describe("REST", () => {
  it.each(names)("%s answers everyone as it should", (name) =>
    checkOperation(operationOf(name), callers, foreign.ids, { sessions: false }),
  );

  it("has no row for what is not there, and has left the other workspace alone", async () => {
    expect(Object.keys(ROWS).filter((name) => !names.includes(name))).toEqual([]);
    expect(await readAll(t.db, foreign.workspaceId)).toEqual(before);
  });
});
