import { beforeAll, expect, it } from "vitest";
import { createUser } from "@/server/access/create-user";
import type { Principal } from "@/server/access/principal";
import { readSession, sealSession } from "@/server/access/read-session";
import { signIn } from "@/server/access/sign-in";
import { createCaller as createApi } from "@/server/trpc/root";
import { useDatabase } from "@/test/database";

const t = useDatabase();
const EMAIL = "mira@example.org";
const OLD = "ebb and flow";
let principal: Principal;

beforeAll(async () => {
  const { userId } = await createUser(
    t.db,
    { type: "cli" },
    { email: EMAIL, password: OLD, name: "Mira", role: "owner" },
  );
  const cookie = await sealSession({ sub: userId, sessionVersion: 1 });
  const found = await readSession(t.db, { "next-auth.session-token": cookie }, { isSecure: false });
  if (!found) throw new Error("not signed in");
  principal = found;
});

const api = () =>
  createApi({ db: t.db, principal, requestId: "req_test", peer: { isLocal: true, address: "192.0.2.7" } });

it("lets people change how they are called, and refuses no name", async () => {
  expect(await api().account.rename({ name: "  Mira Ebb " })).toEqual({ name: "Mira Ebb" });
  await expect(api().account.rename({ name: " " })).rejects.toMatchObject({ code: "UNPROCESSABLE_CONTENT" });
  expect((await api().people.list()).people).toMatchObject([{ name: "Mira Ebb" }]);
  expect(await t.db.auditEntry.findFirst({ where: { action: "user.rename" } })).toMatchObject({
    actor: { type: "user", id: principal.userId },
    targetId: principal.userId,
  });
});

it("changes a password for who knows the present one, and ends every session", async () => {
  await expect(
    api().account.changePassword({ currentPassword: "a guess", newPassword: "springs and neaps" }),
  ).rejects.toMatchObject({ code: "UNPROCESSABLE_CONTENT", cause: { code: "invalid_request" } });
  await expect(
    api().account.changePassword({ currentPassword: OLD, newPassword: "short" }),
  ).rejects.toMatchObject({ code: "UNPROCESSABLE_CONTENT" });
  await api().account.changePassword({ currentPassword: OLD, newPassword: "springs and neaps" });
  const from = { email: EMAIL, address: "192.0.2.7" };
  expect(await signIn(t.db, { ...from, password: OLD })).toBeNull();
  expect(await signIn(t.db, { ...from, password: "springs and neaps" })).toMatchObject({ sessionVersion: 2 });
});

it("lets owners alone name the workspace", async () => {
  expect(await api().workspace.rename({ name: "Tide tables" })).toEqual({ name: "Tide tables" });
  expect(await api().workspace.current()).toMatchObject({ workspace: { name: "Tide tables" } });
  expect(await t.db.auditEntry.findFirst({ where: { action: "workspace.rename" } })).toMatchObject({
    detail: { before: "Workspace", after: "Tide tables" },
  });
  // What the request knows of the role is not believed: it is read again, under the lock.
  await t.db.membership.updateMany({ data: { role: "admin" } });
  await expect(api().workspace.rename({ name: "Mine" })).rejects.toMatchObject({ code: "FORBIDDEN" });
});
