import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDb, type Db } from "@/server/db";
import { newId, sha256 } from "@/server/ids";
import { inTransaction } from "@/server/transaction";
import { cloneDatabase } from "@/test/database";
import { createUser } from "./create-user";
import { DEMO_EMAIL } from "./demo";
import { createOwner, ensureSetupCode, setupStatus } from "./setup";
import { insertMember } from "./users";

// Set-up happens once in a database's life, so each test has one of its own.
let db: Db;
beforeEach(async () => {
  db = createDb(await cloneDatabase(`t_setup_${randomBytes(6).toString("hex")}`), 12);
});
afterEach(() => db.$disconnect());

const LOCAL = { isLocal: true, address: "127.0.0.1" };
const anOwner = (more: object = {}) => ({
  email: `${newId("usr")}@example.org`,
  password: "spring tide",
  name: "Mira",
  workspaceName: "Harbour",
  ...more,
});
const remote = () => ({ isLocal: false, address: newId("usr") });

it("creates owner and workspace from the same machine without a code, and is closed then", async () => {
  expect(await setupStatus(db)).toEqual({ needed: true });
  const { userId, workspaceId } = await createOwner(db, anOwner(), LOCAL);
  expect(await setupStatus(db)).toEqual({ needed: false });
  const membership = await db.membership.findFirstOrThrow({ include: { workspace: true } });
  expect(membership).toMatchObject({ userId, workspaceId, role: "owner", workspace: { name: "Harbour" } });
  const audited = await db.auditEntry.findMany({ orderBy: { id: "asc" } });
  expect(audited.map(({ action }) => action)).toEqual(["workspace.create", "user.create"]);
  expect(audited[0]?.actor).toEqual({ type: "user", id: userId, name: "Mira" });

  await expect(createOwner(db, anOwner(), LOCAL)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("has its owner already"),
  });
});

it("lets exactly one of eight racing first visitors become the owner", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => createOwner(db, anOwner(), LOCAL)),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
  }
  expect(await db.user.count()).toBe(1);
  expect(await db.workspace.count()).toBe(1);
});

it("lets one of set-up page and command line make the first owner's workspace", async () => {
  const { email, password } = anOwner();
  await Promise.allSettled([
    createOwner(db, anOwner(), LOCAL),
    createUser(db, { type: "cli" }, { email, password, role: "owner" }),
  ]);
  expect(await db.workspace.count()).toBe(1);
});

it("asks for the code from elsewhere, and takes it in lower case without dashes", async () => {
  const code = await ensureSetupCode(db);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  await expect(createOwner(db, anOwner(), remote())).rejects.toMatchObject({
    code: "forbidden",
    message: expect.stringContaining("set-up code"),
  });
  await expect(createOwner(db, anOwner({ code: "AAAA-AAAA-AAAA" }), remote())).rejects.toMatchObject({
    code: "forbidden",
    message: expect.stringContaining("wrong"),
  });
  expect(await db.user.count()).toBe(0);

  const typed = code?.toLowerCase().replaceAll("-", " ");
  await createOwner(db, anOwner({ code: typed }), remote());
  expect(await db.membership.count({ where: { role: "owner" } })).toBe(1);
});

it("refuses every code while none was armed", async () => {
  await expect(createOwner(db, anOwner({ code: "" }), remote())).rejects.toMatchObject({ code: "forbidden" });
  await expect(createOwner(db, anOwner({ code: "AAAA" }), remote())).rejects.toMatchObject({
    code: "forbidden",
  });
});

it("stores the code as a hash alone, repeats it after a restart, and drops it with the owner", async () => {
  const code = (await ensureSetupCode(db)) ?? "";
  const { setupCodeHash } = await db.instance.findUniqueOrThrow({ where: { id: 1 } });
  expect(Buffer.from(setupCodeHash ?? []).equals(sha256(code.replaceAll("-", "")))).toBe(true);
  expect(await ensureSetupCode(db)).toBe(code);

  await createOwner(db, anOwner(), LOCAL);
  expect(await ensureSetupCode(db)).toBeNull();
  expect((await db.instance.findUniqueOrThrow({ where: { id: 1 } })).setupCodeHash).toBeNull();
});

it("throttles guesses at the code, from one address and from many", async () => {
  await ensureSetupCode(db);
  const guess = (request: { isLocal: boolean; address: string }) =>
    createOwner(db, anOwner({ code: "AAAA-AAAA-AAAA" }), request).catch((error) => error.code);
  const outcomes = await Promise.all(Array.from({ length: 15 }, () => guess(remote())));
  expect(outcomes.filter((code) => code === "forbidden")).toHaveLength(10);
  expect(outcomes.filter((code) => code === "rate_limited")).toHaveLength(5);
});

it("names each bad field and creates nothing", async () => {
  const bad = anOwner({ email: "mira", password: "short", name: " " });
  await expect(createOwner(db, bad, LOCAL)).rejects.toMatchObject({
    code: "invalid_request",
    info: { fields: [{ path: "email" }, { path: "password" }, { path: "name" }] },
  });
  expect(await db.workspace.count()).toBe(0);
});

it("still waits for its owner beside the demo, and keeps both apart", async () => {
  const { id: demo } = await db.workspace.create({ data: { name: "Demo" } });
  await inTransaction(db, (tx) =>
    insertMember(
      tx,
      { workspaceId: demo, actor: { type: "cli" } },
      { id: newId("usr"), email: DEMO_EMAIL, name: "Demo", passwordHash: "none", role: "owner" },
    ),
  );
  expect(await setupStatus(db)).toEqual({ needed: true });
  expect(await ensureSetupCode(db)).not.toBeNull();
  const { email, password } = anOwner();
  const own = await createUser(db, { type: "cli" }, { email, password, role: "owner" });
  expect(own.workspaceId).not.toBe(demo);
  expect(await setupStatus(db)).toEqual({ needed: false });
  expect(await ensureSetupCode(db)).toBeNull();
  // With two workspaces, one of them the demo's, it is clear which is meant.
  const second = await createUser(db, { type: "cli" }, { email: `2-${email}`, password, role: "viewer" });
  expect(second.workspaceId).toBe(own.workspaceId);
  const asked = { email: `3-${email}`, password, role: "viewer", workspaceId: demo } as const;
  expect((await createUser(db, { type: "cli" }, asked)).workspaceId).toBe(demo);
});

it("makes the first user of the command line an owner or nobody", async () => {
  const { email, password } = anOwner();
  const create = (role: "viewer" | "owner", mail: string, workspaceId?: number) =>
    createUser(db, { type: "cli" }, { email: mail, password, role, workspaceId });
  await expect(create("viewer", email)).rejects.toMatchObject({
    message: expect.stringContaining("--role owner"),
  });
  const { workspaceId } = await create("owner", email);
  expect(await setupStatus(db)).toEqual({ needed: false });

  await create("viewer", `second-${email}`);
  expect(await db.membership.count({ where: { workspaceId } })).toBe(2);
  await expect(create("viewer", `third-${email}`, 999)).rejects.toMatchObject({ code: "not_found" });
  await db.workspace.create({ data: { name: "Other" } });
  await expect(create("viewer", `third-${email}`)).rejects.toMatchObject({
    message: expect.stringContaining("--workspace"),
  });
});
