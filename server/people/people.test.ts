import { beforeEach, describe, expect, it } from "vitest";
import { scopesOfRole } from "@/server/access/principal";
import { readSession, sealSession } from "@/server/access/read-session";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Role } from "@/server/db";
import { newId } from "@/server/ids";
import { blockRows } from "@/test/block-row";
import { countingDb } from "@/test/counting-db";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { changeRole } from "./change-role";
import { ROLES } from "./choices";
import { listPeople } from "./list-people";
import { removePerson } from "./remove-person";

const t = useDatabase();
let workspaceId: number;

beforeEach(async () => {
  workspaceId = (await createCaller(t.db)).workspaceId;
});

type Person = { id: string; caller: Caller; cookie: string };

async function join(role: Role, of = workspaceId): Promise<Person> {
  const id = newId("usr");
  await t.db.user.create({ data: { id, email: `${id}@example.org`, name: `A ${role}` } });
  await t.db.membership.create({ data: { workspaceId: of, userId: id, role } });
  const cookie = await sealSession({ sub: id, sessionVersion: 1 });
  return { id, cookie, caller: { workspaceId: of, actor: { type: "user", id, name: `A ${role}` } } };
}

function session({ cookie }: Person) {
  return readSession(t.db, { "next-auth.session-token": cookie }, { isSecure: false });
}

async function roleOf(userId: string): Promise<Role | null> {
  return (await t.db.membership.findFirst({ where: { workspaceId, userId } }))?.role ?? null;
}

describe("roles", () => {
  /** Who may give whom which role: [own, theirs, new] → does it happen? */
  const may = (own: Role, theirs: Role, next: Role): boolean => {
    if (own === "owner") return true;
    if (own === "admin") return theirs !== "owner" && next !== "owner";
    return false;
  };
  const rows = ROLES.flatMap((own) =>
    ROLES.flatMap((theirs) => ROLES.map((next) => [own, theirs, next] as const)),
  );

  it("are given by who has at least as much, and every other try is refused", async () => {
    await join("owner"); // so that nobody is the last one
    for (const [own, theirs, next] of rows) {
      if (theirs === next) continue;
      const [one, other] = await Promise.all([join(own), join(theirs)]);
      const act = changeRole(t.db, one.caller, { userId: other.id, role: next });
      const what = `${own} makes ${theirs} ${next}`;
      if (may(own, theirs, next)) {
        await expect(act, what).resolves.toMatchObject({ userId: other.id, role: next });
        expect(await roleOf(other.id), what).toBe(next);
      } else {
        await expect(act, what).rejects.toMatchObject({ code: "forbidden" });
        expect(await roleOf(other.id), what).toBe(theirs);
      }
    }
  });

  it("hold with the next request, and are written down", async () => {
    const [owner, member] = [await join("owner"), await join("member")];
    await changeRole(t.db, owner.caller, { userId: member.id, role: "viewer" });
    expect((await session(member))?.scopes).toEqual(scopesOfRole("viewer"));
    expect(await t.db.auditEntry.findMany({ where: { workspaceId } })).toMatchObject([
      {
        action: "person.change_role",
        targetId: member.id,
        actor: owner.caller.actor,
        detail: { before: "member", after: "viewer", email: `${member.id}@example.org` },
      },
    ]);
    await changeRole(t.db, owner.caller, { userId: member.id, role: "viewer" });
    expect(await t.db.auditEntry.count({ where: { workspaceId } }), "no change, no entry").toBe(1);
  });

  it("are nobody's to change in another workspace, nor by a token", async () => {
    const elsewhere = await createCaller(t.db);
    const [owner, stranger] = [await join("owner"), await join("member", elsewhere.workspaceId)];
    await expect(
      changeRole(t.db, owner.caller, { userId: stranger.id, role: "viewer" }),
    ).rejects.toMatchObject({ code: "not_found" });
    const token: Caller = { workspaceId, actor: { type: "token", id: newId("tok"), name: "T" } };
    await expect(changeRole(t.db, token, { userId: owner.id, role: "viewer" })).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});

describe("the last owner", () => {
  it("stays: neither made less nor removed, by themselves neither", async () => {
    const owner = await join("owner");
    await join("admin");
    await expect(changeRole(t.db, owner.caller, { userId: owner.id, role: "admin" })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Make somebody else an owner first"),
    });
    await expect(removePerson(t.db, owner.caller, { userId: owner.id })).rejects.toMatchObject({
      code: "conflict",
    });
    const next = await join("owner");
    await removePerson(t.db, owner.caller, { userId: owner.id });
    expect(await roleOf(owner.id)).toBeNull();
    expect(await roleOf(next.id)).toBe("owner");
  });

  it.each(["change", "remove"] as const)("is left when two owners %s each other at once", async (what) => {
    const [one, other] = [await join("owner"), await join("owner")];
    const act = ({ caller }: Person, { id }: Person) =>
      what === "change"
        ? changeRole(t.db, caller, { userId: id, role: "admin" })
        : removePerson(t.db, caller, { userId: id });
    // Both have begun and neither can write yet: what they know of each other is of before.
    const block = await blockRows(
      t.url,
      "SELECT 1 FROM memberships WHERE workspace_id = $1 ORDER BY user_id FOR UPDATE",
      [workspaceId],
    );
    const acts = Promise.allSettled([act(one, other), act(other, one)]);
    await block.waitedFor(2);
    await block.release();
    const outcomes = await acts;
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "forbidden" }, // no admin any more, or only that
    });
    expect(await t.db.membership.count({ where: { workspaceId, role: "owner" } })).toBe(1);
  });

  it("keeps what a demoted admin began while it was decided from happening", async () => {
    const [owner, admin, member] = [await join("owner"), await join("admin"), await join("member")];
    const block = await blockRows(t.url, "SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE", [workspaceId]);
    const demotion = changeRole(t.db, owner.caller, { userId: admin.id, role: "viewer" });
    await block.waitedFor(1);
    const late = removePerson(t.db, admin.caller, { userId: member.id }).catch((error: unknown) => error);
    await block.waitedFor(2);
    await block.release();
    await demotion;
    expect(await late).toMatchObject({ code: "forbidden" });
    expect(await roleOf(member.id)).toBe("member");
  });
});

describe("tokens that somebody made", () => {
  const tokenOf = ({ caller }: Person) => createToken(t.db, caller, { name: "Importer", scopes: ["admin"] });

  it("stay when their maker may do less, unless they are to end too", async () => {
    const [owner, one, other] = [await join("owner"), await join("admin"), await join("admin")];
    const [kept, ended] = [await tokenOf(one), await tokenOf(other)];
    const change = (userId: string, revokeTokens: boolean) =>
      changeRole(t.db, owner.caller, { userId, role: "viewer", revokeTokens });
    expect((await change(one.id, false)).revokedTokens).toEqual([]);
    expect((await change(other.id, true)).revokedTokens).toEqual([ended.id]);
    const usable = await t.db.apiToken.findMany({ where: { workspaceId, revokedAt: null } });
    expect(usable.map(({ id }) => id)).toEqual([kept.id]);
  });

  it("are not made by who is no admin any more when it is their turn", async () => {
    const [owner, admin] = [await join("owner"), await join("admin")];
    const block = await blockRows(t.url, "SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE", [workspaceId]);
    const removal = removePerson(t.db, owner.caller, { userId: admin.id, revokeTokens: true });
    await block.waitedFor(1);
    const late = tokenOf(admin).catch((error: unknown) => error);
    await block.waitedFor(2);
    await block.release();
    await removal;
    expect(await late).toMatchObject({ code: "forbidden" });
    expect(await t.db.apiToken.count({ where: { workspaceId, revokedAt: null } })).toBe(0);
  });
});

describe("who is removed", () => {
  it("is out with the next request, and the account is gone where it belongs nowhere else", async () => {
    const [owner, member] = [await join("owner"), await join("member")];
    expect(await session(member)).not.toBeNull();
    await removePerson(t.db, owner.caller, { userId: member.id });
    expect(await session(member)).toBeNull();
    expect(await t.db.user.count({ where: { id: member.id } })).toBe(0);
    await expect(removePerson(t.db, owner.caller, { userId: member.id })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await t.db.auditEntry.findMany({ where: { workspaceId } })).toMatchObject([
      { action: "person.remove", targetId: member.id, detail: { role: "member", name: "A member" } },
    ]);
  });

  it("keeps the account of another workspace, signed out", async () => {
    const elsewhere = await createCaller(t.db);
    const [owner, member] = [await join("owner"), await join("member")];
    await t.db.membership.create({
      data: { workspaceId: elsewhere.workspaceId, userId: member.id, role: "viewer" },
    });
    await removePerson(t.db, owner.caller, { userId: member.id });
    expect(await session(member)).toBeNull();
    expect(await t.db.membership.findMany({ where: { userId: member.id } })).toMatchObject([
      { workspaceId: elsewhere.workspaceId },
    ]);
  });

  it("leaves the tokens they made, unless they are to end too", async () => {
    const [owner, one, other] = [await join("owner"), await join("admin"), await join("admin")];
    const tokenOf = ({ caller }: Person) =>
      createToken(t.db, caller, { name: "Importer", scopes: ["admin"] });
    const [kept, ended] = [await tokenOf(one), await tokenOf(other)];
    const own = await tokenOf(owner);
    await removePerson(t.db, owner.caller, { userId: one.id });
    const { revokedTokens } = await removePerson(t.db, owner.caller, {
      userId: other.id,
      revokeTokens: true,
    });
    expect(revokedTokens).toEqual([ended.id]);
    const usable = await t.db.apiToken.findMany({ where: { workspaceId, revokedAt: null } });
    expect(usable.map(({ id }) => id).sort()).toEqual([kept.id, own.id].sort());
    expect(await t.db.auditEntry.findMany({ where: { workspaceId, action: "token.revoke" } })).toMatchObject([
      { targetId: ended.id, actor: owner.caller.actor },
    ]);
  });

  it("is removed by nobody below, and an owner by an owner alone", async () => {
    const people = { viewer: await join("viewer"), member: await join("member"), admin: await join("admin") };
    const owner = await join("owner");
    await join("owner");
    for (const by of Object.values(people)) {
      await expect(removePerson(t.db, by.caller, { userId: owner.id })).rejects.toMatchObject({
        code: "forbidden",
      });
    }
    for (const by of [people.viewer, people.member]) {
      await expect(removePerson(t.db, by.caller, { userId: people.admin.id })).rejects.toMatchObject({
        code: "forbidden",
      });
    }
    await removePerson(t.db, people.admin.caller, { userId: people.member.id });
    expect(await roleOf(people.member.id)).toBeNull();
  });
});

describe("the list", () => {
  it("takes as many queries for many people as for one", async () => {
    const owner = await join("owner");
    const count = async () => {
      const counted = countingDb(t.db);
      await listPeople(counted.db, principal(owner, "owner"));
      return counted.queries();
    };
    const alone = await count();
    for (const role of ROLES) await Promise.all([join(role), join(role), join(role)]);
    expect(await count()).toBe(alone);
    expect(alone).toBeLessThanOrEqual(2);
  });

  const principal = (person: Person, role: Role) => ({
    caller: person.caller,
    scopes: scopesOfRole(role),
    role,
    userId: person.id,
    tokenId: null,
  });

  it("shows everybody by name; when they were here, and what keys they made, to admins alone", async () => {
    const elsewhere = await createCaller(t.db);
    await join("owner", elsewhere.workspaceId);
    const [owner, viewer] = [await join("owner"), await join("viewer")];
    await t.db.user.update({ where: { id: owner.id }, data: { name: "Zoe" } });
    await t.db.user.update({ where: { id: viewer.id }, data: { name: "abe", lastSignInAt: new Date(0) } });
    await createToken(t.db, owner.caller, { name: "One", scopes: ["admin"] });
    const seen = await listPeople(t.db, principal(owner, "owner"));
    expect(seen.people).toMatchObject([
      { name: "abe", role: "viewer", lastSignInAt: new Date(0), tokenCount: 0 },
      { name: "Zoe", role: "owner", email: `${owner.id}@example.org`, tokenCount: 1 },
    ]);
    const shown = await listPeople(t.db, principal(viewer, "viewer"));
    expect(shown).toMatchObject({
      people: [
        { lastSignInAt: null, tokenCount: 0 },
        { lastSignInAt: null, tokenCount: 0 },
      ],
      invitations: [],
    });
  });
});
