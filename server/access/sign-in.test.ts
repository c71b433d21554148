import { expect, it } from "vitest";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createUser } from "./create-user";
import { verifyPassword } from "./passwords";
import { readSession, sealSession, sessionCookieName } from "./read-session";
import { signIn } from "./sign-in";
import { bookAttempt, signInCounters } from "./throttle";
import { changePassword, listUsers, resetPassword, signOutEverywhere } from "./users";

const t = useDatabase();
const PASSWORD = "ebb and flow";
const HTTP = { isSecure: false };

async function aPerson(role: "owner" | "member" = "owner") {
  const email = `${newId("usr")}@example.org`;
  const { userId, workspaceId } = await createUser(
    t.db,
    { type: "cli" },
    { email, password: PASSWORD, role },
  );
  return { email, userId, workspaceId, address: newId("usr") };
}

async function cookiesOf(userId: string) {
  const { sessionVersion } = await t.db.user.findUniqueOrThrow({ where: { id: userId } });
  return { [sessionCookieName(false)]: await sealSession({ sub: userId, sessionVersion }) };
}

it("signs in with the right password, whatever the case of the e-mail", async () => {
  const { email, userId, address } = await aPerson();
  expect(
    await signIn(t.db, { email: ` ${email.toUpperCase()} `, password: PASSWORD, address }),
  ).toMatchObject({
    id: userId,
    sessionVersion: 1,
  });
  const user = await t.db.user.findUniqueOrThrow({ where: { id: userId } });
  expect(user.lastSignInAt).not.toBeNull();
  expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it("answers a wrong password and an unknown account alike", async () => {
  const { email, address } = await aPerson();
  expect(await signIn(t.db, { email, password: "ebb and flaw", address })).toBeNull();
  expect(await signIn(t.db, { email: "nobody@example.org", password: PASSWORD, address })).toBeNull();
  expect(await signIn(t.db, { email: "not an address", password: PASSWORD, address })).toBeNull();
});

it("works as hard for an account that does not exist", async () => {
  const { email } = await aPerson();
  const { passwordHash } = await t.db.user.findUniqueOrThrow({ where: { email } });
  const median = async (stored: string | null) => {
    const times: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      const start = process.cpuUsage();
      await verifyPassword(stored, "wrong password");
      const { user, system } = process.cpuUsage(start);
      times.push(user + system);
    }
    return times.sort((a, b) => a - b)[4] ?? 0;
  };
  await verifyPassword(null, "warm up: the decoy is made once");
  const [known, unknown] = [await median(passwordHash), await median(null)];
  // CPU time, so that a busy machine does not blur it; without the decoy it is a thousandth.
  expect(unknown).toBeGreaterThan(known / 3);
});

it("refuses the right password too while the account is blocked", async () => {
  const { email, address } = await aPerson();
  const counters = signInCounters(email, address);
  for (let i = 0; i < 5; i += 1) await bookAttempt(t.db, counters);
  await expect(signIn(t.db, { email, password: PASSWORD, address })).rejects.toMatchObject({
    code: "rate_limited",
  });
});

it("lets five of thirty parallel guesses look at the password", async () => {
  const { email, address } = await aPerson();
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) => signIn(t.db, { email, password: `guess ${i}`, address })),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
});

it("reads the session of someone signed in, with the scopes of their role", async () => {
  const { userId, workspaceId } = await aPerson();
  const principal = await readSession(t.db, await cookiesOf(userId), HTTP);
  expect(principal).toMatchObject({
    caller: { workspaceId, actor: { type: "user", id: userId } },
    role: "owner",
    userId,
    tokenId: null,
  });
  expect(principal?.scopes.has("admin")).toBe(true);
});

it("takes no cookie that is missing, forged, or of the other protocol", async () => {
  const { userId } = await aPerson();
  const cookies = await cookiesOf(userId);
  expect(await readSession(t.db, {}, HTTP)).toBeNull();
  expect(await readSession(t.db, { [sessionCookieName(false)]: "e30.e30.e30.e30.e30" }, HTTP)).toBeNull();
  expect(await readSession(t.db, cookies, { isSecure: true })).toBeNull();
});

it("signs out everywhere at once", async () => {
  const { userId, workspaceId } = await aPerson();
  const cookies = await cookiesOf(userId);
  const caller = { workspaceId, actor: { type: "user", id: userId, name: "Mira" } } as const;
  await signOutEverywhere(t.db, caller, userId);
  expect(await readSession(t.db, cookies, HTTP)).toBeNull();
  expect(await readSession(t.db, await cookiesOf(userId), HTTP)).not.toBeNull();
  expect(await auditOf(userId)).toContain("user.sign_out_everywhere");
});

it("shuts a removed member out with the next request, and out of signing in again", async () => {
  const { email, userId, workspaceId, address } = await aPerson();
  const cookies = await cookiesOf(userId);
  await t.db.membership.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
  expect(await readSession(t.db, cookies, HTTP)).toBeNull();
  await expect(signIn(t.db, { email, password: PASSWORD, address })).rejects.toMatchObject({
    code: "forbidden",
  });
});

it("gives a changed role with the next request", async () => {
  const { userId, workspaceId } = await aPerson();
  const cookies = await cookiesOf(userId);
  await t.db.membership.update({
    where: { workspaceId_userId: { workspaceId, userId } },
    data: { role: "viewer" },
  });
  const principal = await readSession(t.db, cookies, HTTP);
  expect(principal?.scopes.has("sources:read")).toBe(true);
  expect(principal?.scopes.has("sources:write")).toBe(false);
  expect(principal?.scopes.has("admin")).toBe(false);
});

it("resets a password: the new one works, sessions end, the block is lifted, the audit log tells", async () => {
  const { email, userId, address } = await aPerson();
  const cookies = await cookiesOf(userId);
  for (let i = 0; i < 5; i += 1) await bookAttempt(t.db, signInCounters(email, newId("usr")));
  const { password } = await resetPassword(t.db, { type: "cli" }, { email });
  expect(password).toMatch(/^[A-Za-z2-9]{20}$/);
  expect(await readSession(t.db, cookies, HTTP)).toBeNull();
  expect(await signIn(t.db, { email, password: PASSWORD, address })).toBeNull();
  expect(await signIn(t.db, { email, password, address })).toMatchObject({ id: userId, sessionVersion: 2 });
  expect(await auditOf(userId)).toContain("user.reset_password");
});

it("resets nothing for an unknown account or a short password", async () => {
  const { email } = await aPerson();
  await expect(resetPassword(t.db, { type: "cli" }, { email: "no@example.org" })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(resetPassword(t.db, { type: "cli" }, { email, password: "short" })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

it("changes a password only for who knows the current one", async () => {
  const { email, userId, workspaceId, address } = await aPerson();
  const caller = { workspaceId, actor: { type: "user", id: userId, name: "Mira" } } as const;
  const change = (currentPassword: string) =>
    changePassword(t.db, caller, { userId, currentPassword, newPassword: "neap and spring", address });
  await expect(change("wrong")).rejects.toMatchObject({
    code: "invalid_request",
    info: { fields: [{ path: "currentPassword" }] },
  });
  await change(PASSWORD);
  expect(await signIn(t.db, { email, password: "neap and spring", address })).toMatchObject({
    sessionVersion: 2,
  });
  expect(await auditOf(userId)).toContain("user.change_password");
});

it("lists people with role and workspace, and refuses an e-mail that is taken", async () => {
  const { email, userId, workspaceId } = await aPerson();
  expect(await listUsers(t.db)).toContainEqual({
    id: userId,
    email,
    name: email,
    workspaceId,
    role: "owner",
  });
  const again = createUser(t.db, { type: "cli" }, { email, password: PASSWORD, role: "member" });
  await expect(again).rejects.toMatchObject({ code: "conflict" });
});

async function auditOf(userId: string) {
  const entries = await t.db.auditEntry.findMany({ where: { targetId: userId } });
  return entries.map(({ action }) => action);
}
