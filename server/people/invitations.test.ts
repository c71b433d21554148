import { beforeEach, expect, it } from "vitest";
import { readSession, sealSession } from "@/server/access/read-session";
import { signIn } from "@/server/access/sign-in";
import type { Caller } from "@/server/actor";
import type { Role } from "@/server/db";
import { newId, sha256 } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { acceptInvitation, readInvitation } from "./accept-invitation";
import { changeRole } from "./change-role";
import { dropExpiredInvitations } from "./drop-expired-invitations";
import { invite } from "./invite";
import { removePerson } from "./remove-person";
import { withdrawInvitation } from "./withdraw-invitation";

const t = useDatabase();
const NEWCOMER = { name: "Bo", password: "a long password" };
let workspaceId: number;
let owner: Caller;

beforeEach(async () => {
  workspaceId = (await createCaller(t.db)).workspaceId;
  owner = await join("owner");
});

async function join(role: Role, of = workspaceId): Promise<Caller> {
  const id = newId("usr");
  await t.db.user.create({ data: { id, email: `${id}@example.org`, name: "Ada" } });
  await t.db.membership.create({ data: { workspaceId: of, userId: id, role } });
  return { workspaceId: of, actor: { type: "user", id, name: "Ada" } };
}

const address = () => `${newId("usr")}@example.org`;
const idOf = ({ actor }: Caller) => ("id" in actor ? actor.id : "");
const pending = () => t.db.invitation.findMany({ where: { workspaceId } });

it("makes a link of which only the hash is kept, and whoever has it joins once", async () => {
  const email = address();
  const { id, token, expiresAt } = await invite(t.db, owner, {
    email: ` ${email.toUpperCase()} `,
    role: "member",
  });
  expect(Math.round((expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(7);
  const [row] = await pending();
  expect(Buffer.from(row?.tokenHash ?? []).equals(sha256(token))).toBe(true);
  expect(JSON.stringify(await t.db.auditEntry.findMany({ where: { workspaceId } }))).not.toContain(token);
  expect(await readInvitation(t.db, token)).toEqual({
    workspaceName: "Harbour",
    email,
    role: "member",
    invitedBy: "Ada",
  });

  const joined = await acceptInvitation(t.db, { token, ...NEWCOMER });
  expect(joined.email).toBe(email);
  const known = await signIn(t.db, { email, password: NEWCOMER.password, address: "192.0.2.1" });
  expect(known).toMatchObject({ id: joined.userId, name: "Bo" });
  const cookie = await sealSession({ sub: joined.userId, sessionVersion: 1 });
  expect(await readSession(t.db, { "next-auth.session-token": cookie }, { isSecure: false })).toMatchObject({
    role: "member",
    caller: { workspaceId },
  });
  expect(await pending()).toEqual([]);
  expect(await t.db.auditEntry.findMany({ where: { workspaceId }, orderBy: { id: "asc" } })).toMatchObject([
    { action: "invitation.create", targetId: id, actor: owner.actor, detail: { email, role: "member" } },
    {
      action: "user.create",
      targetId: joined.userId,
      actor: { id: joined.userId },
      detail: { email, role: "member", invitedBy: { name: "Ada" } },
    },
  ]);

  expect(await readInvitation(t.db, token)).toBeNull();
  await expect(acceptInvitation(t.db, { token, ...NEWCOMER })).rejects.toMatchObject({ code: "not_found" });
});

it("lets one of two who hold the same link in", async () => {
  const { token } = await invite(t.db, owner, { email: address(), role: "viewer" });
  const tries = await Promise.allSettled([1, 2, 3].map(() => acceptInvitation(t.db, { token, ...NEWCOMER })));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await t.db.membership.count({ where: { workspaceId } })).toBe(2);
});

it("takes no link that was misspelled, withdrawn, replaced or is too old, and makes no account of it", async () => {
  const email = address();
  const first = await invite(t.db, owner, { email, role: "viewer" });
  const second = await invite(t.db, owner, { email, role: "member" });
  expect(await pending()).toHaveLength(1);
  const old = await invite(t.db, owner, { email: address(), role: "viewer" });
  await t.db.invitation.updateMany({ where: { id: old.id }, data: { expiresAt: new Date(Date.now() - 1) } });
  const withdrawn = await invite(t.db, owner, { email: address(), role: "viewer" });
  await withdrawInvitation(t.db, owner, { invitationId: withdrawn.id });
  const elsewhere = second.token.replace(/^[^-]+/, (await createCaller(t.db)).workspaceId.toString(36));
  for (const token of [
    first.token,
    old.token,
    withdrawn.token,
    elsewhere,
    "",
    "1-x",
    `zzzzzz-${"a".repeat(43)}`,
  ]) {
    expect(await readInvitation(t.db, token), token).toBeNull();
    await expect(acceptInvitation(t.db, { token, ...NEWCOMER }), token).rejects.toMatchObject({
      code: "not_found",
    });
  }
  expect(await t.db.user.count({ where: { name: "Bo", memberships: { some: { workspaceId } } } })).toBe(0);
  await expect(withdrawInvitation(t.db, owner, { invitationId: withdrawn.id })).rejects.toMatchObject({
    code: "not_found",
  });
});

it("refuses addresses that have an account, and takes up one that belongs nowhere", async () => {
  const elsewhere = (await createCaller(t.db)).workspaceId;
  const stranger = await join("member", elsewhere);
  await expect(
    invite(t.db, owner, { email: `${idOf(owner)}@example.org`, role: "viewer" }),
  ).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("belongs to this workspace"),
  });
  await expect(
    invite(t.db, owner, { email: `${idOf(stranger)}@example.org`, role: "viewer" }),
  ).rejects.toMatchObject({ code: "conflict", info: { fields: [{ path: "email" }] } });

  const left = await join("viewer");
  await t.db.membership.deleteMany({ where: { userId: idOf(left) } });
  const { token } = await invite(t.db, owner, { email: `${idOf(left)}@example.org`, role: "admin" });
  const { userId } = await acceptInvitation(t.db, { token, ...NEWCOMER });
  expect(await t.db.membership.findMany({ where: { userId } })).toMatchObject([
    { workspaceId, role: "admin" },
  ]);
});

it("says that an address got an account meanwhile, and keeps the link for when it has none", async () => {
  const email = address();
  const { token } = await invite(t.db, owner, { email, role: "viewer" });
  const id = newId("usr");
  await t.db.user.create({ data: { id, email, name: "Early" } });
  const elsewhere = (await createCaller(t.db)).workspaceId;
  await t.db.membership.create({ data: { workspaceId: elsewhere, userId: id, role: "viewer" } });
  await expect(acceptInvitation(t.db, { token, ...NEWCOMER })).rejects.toMatchObject({ code: "conflict" });
  expect(await readInvitation(t.db, token)).not.toBeNull();
});

it("is for admins: members invite nobody, and an admin invites and withdraws no owner", async () => {
  const [admin, member] = [await join("admin"), await join("member")];
  const ofOwner = await invite(t.db, owner, { email: "boss@example.org", role: "owner" });
  for (const act of [
    () => invite(t.db, member, { email: address(), role: "viewer" }),
    () => withdrawInvitation(t.db, member, { invitationId: ofOwner.id }),
    () => invite(t.db, admin, { email: address(), role: "owner" }),
    () => invite(t.db, admin, { email: "boss@example.org", role: "viewer" }),
    () => withdrawInvitation(t.db, admin, { invitationId: ofOwner.id }),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await pending()).toHaveLength(1);
  const [other] = [await join("owner", (await createCaller(t.db)).workspaceId)];
  await expect(withdrawInvitation(t.db, other, { invitationId: ofOwner.id })).rejects.toMatchObject({
    code: "not_found",
  });
});

it("ends the links of whoever may not grant them any more", async () => {
  const [one, another, third] = [await join("owner"), await join("admin"), await join("admin")];
  const emails = { owner: address(), admin: address(), viewer: address(), removed: address() };
  await invite(t.db, one, { email: emails.owner, role: "owner" });
  await invite(t.db, one, { email: emails.admin, role: "admin" });
  await invite(t.db, another, { email: emails.viewer, role: "viewer" });
  await invite(t.db, third, { email: emails.removed, role: "viewer" });
  const left = async () => (await pending()).map(({ email }) => email).sort();

  await changeRole(t.db, owner, { userId: idOf(one), role: "admin" });
  expect(await left()).toEqual([emails.admin, emails.viewer, emails.removed].sort());
  await changeRole(t.db, owner, { userId: idOf(another), role: "member" });
  expect(await left()).toEqual([emails.admin, emails.removed].sort());
  await removePerson(t.db, owner, { userId: idOf(third) });
  expect(await left()).toEqual([emails.admin]);
});

it("forgets who never came, a month after the link ended", async () => {
  const [recent, old] = [
    await invite(t.db, owner, { email: address(), role: "viewer" }),
    await invite(t.db, owner, { email: address(), role: "viewer" }),
  ];
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await t.db.invitation.updateMany({ where: { id: recent.id }, data: { expiresAt: days(29) } });
  await t.db.invitation.updateMany({ where: { id: old.id }, data: { expiresAt: days(31) } });
  expect(await dropExpiredInvitations(t.db)).toBe(1);
  expect((await pending()).map(({ id }) => id)).toEqual([recent.id]);
});
