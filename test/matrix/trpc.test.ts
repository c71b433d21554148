import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import superjson from "superjson";
import { beforeAll, describe, expect, it } from "vitest";
import { appRouter, createCaller } from "@/server/trpc/root";
import { useDatabase } from "@/test/database";
import { createCaller as createWorkspace } from "@/test/factories";
import { createTrpcContext, createTrpcHandler } from "@/test/trpc-handler";
import { type Callers, createCallers } from "./callers";
import { checkOperation, type Operation } from "./check-operation";
import { createForeignWorkspace, type Ids, readAll } from "./foreign-workspace";
import { TRPC_ROWS } from "./trpc-rows";

const t = useDatabase();
let handle: ReturnType<typeof createTrpcHandler>;
let callers: Callers;
let foreign: { workspaceId: number; ids: Ids };
let before: unknown;
beforeAll(async () => {
  handle = createTrpcHandler(t.db);
  foreign = await createForeignWorkspace(t.db);
  callers = await createCallers(t.db, await createWorkspace(t.db));
  before = await readAll(t.db, foreign.workspaceId);
});

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const names = Object.keys(procedures);

function operationOf(name: string): Operation {
  const row = TRPC_ROWS[name];
  if (!row) throw new Error(`Say in test/matrix/trpc-rows.ts what ${name} needs and answers.`);
  const type = procedures[name]?._def.type;
  if (type === "subscription") return { ...row, name, call: (headers) => subscribe(name, headers) };
  const isMutation = type === "mutation";
  return {
    ...row,
    name,
    async call(headers, ids) {
      const body = JSON.stringify(superjson.serialize(row.input?.(ids)));
      const query = isMutation ? "" : `?input=${encodeURIComponent(body)}`;
      const response = await handle(
        new Request(`http://localhost/api/trpc/${name}${query}`, {
          method: isMutation ? "POST" : "GET",
          headers: { "content-type": "application/json", ...headers },
          ...(isMutation && { body }),
        }),
      );
      return { status: response.status, text: await response.text() };
    },
  };
}

/** Over HTTP it would answer 200 first; whether it may begin is decided before anything is sent. */
async function subscribe(path: string, headers: Record<string, string>) {
  const context = await createTrpcContext(t.db, new Headers(headers));
  const [group = "", name = ""] = path.split(".");
  const caller = createCaller(context) as unknown as Record<string, Record<string, () => Promise<unknown>>>;
  try {
    await caller[group]?.[name]?.();
    return { status: 200, text: "" };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return { status: getHTTPStatusCodeFromError(error), text: error.message };
  }
}

describe("tRPC", () => {
  it.each(names)("%s answers everyone as it should", (name) =>
    checkOperation(operationOf(name), callers, foreign.ids, { sessions: true }),
  );

  it("has no row for what is not there, and has left the other workspace alone", async () => {
    expect(Object.keys(TRPC_ROWS).filter((name) => !names.includes(name))).toEqual([]);
    expect(await readAll(t.db, foreign.workspaceId)).toEqual(before);
  });
});
