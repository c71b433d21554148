import { beforeAll, expect, it } from "vitest";
import { scopesOfRole } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import type { Role } from "@/server/db";
import { newId } from "@/server/ids";
import { createCaller as createApi } from "@/server/trpc/root";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";

const t = useDatabase();
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(t.db);
});

function as(role: Role, of = caller) {
  const userId = newId("usr");
  const person: Caller = { workspaceId: of.workspaceId, actor: { type: "user", id: userId, name: "Ada" } };
  return createApi({
    db: t.db,
    principal: { caller: person, scopes: scopesOfRole(role), role, userId, tokenId: null },
    requestId: "req_test",
    peer: { isLocal: true, address: "127.0.0.1" },
  }).workspace;
}

it("shows everybody how long things are kept, lets admins change it, and writes down who did", async () => {
  const other = await createCaller(t.db);
  expect(await as("viewer").settings()).toEqual({ retentionDays: 30, runRetentionDays: 90 });
  expect(await as("admin").updateSettings({ retentionDays: 7 })).toEqual({
    retentionDays: 7,
    runRetentionDays: 90,
  });
  expect(await as("viewer").settings()).toEqual({ retentionDays: 7, runRetentionDays: 90 });
  expect(await as("viewer", other).settings(), "another workspace").toMatchObject({ retentionDays: 30 });
  const [entry] = await t.db.auditEntry.findMany({ where: { action: "workspace.update_settings" } });
  expect(entry).toMatchObject({
    workspaceId: caller.workspaceId,
    actor: { type: "user", name: "Ada" },
    detail: { before: { retentionDays: 30 }, after: { retentionDays: 7 } },
  });
});

it("refuses members, and times that make no sense", async () => {
  await expect(as("member").updateSettings({ retentionDays: 7 })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  for (const input of [
    { retentionDays: 0 },
    { retentionDays: 1.5 },
    { runRetentionDays: 100_000 },
    { retentionDays: "7" as never },
    {},
  ]) {
    await expect(as("owner").updateSettings(input)).rejects.toMatchObject({
      code: expect.stringMatching(/BAD_REQUEST|UNPROCESSABLE/),
    });
  }
});
