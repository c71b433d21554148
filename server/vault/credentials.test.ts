import { randomBytes } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import {
  CredentialUnreadable,
  deleteCredential,
  openCredential,
  openCredentialRevision,
  saveCredential,
} from "./credentials";
import { refreshCredential } from "./refresh-credential";
import { resealCredentials } from "./reseal-credentials";

// The secret changes within a test, which the real one parses once and keeps.
const secrets = vi.hoisted(() => ({ current: "first-".repeat(8), previous: [] as string[] }));
vi.mock("@/server/env", () => ({
  env: () => ({ TIDEMARK_SECRET: secrets.current, TIDEMARK_SECRET_PREVIOUS: secrets.previous }),
}));

const t = useDatabase();
const BASIC = { type: "basic", username: "mira", password: "tide-and-time" } as const;

afterEach(() => {
  secrets.current = "first-".repeat(8);
  secrets.previous = [];
});

it("opens what it sealed and stores no secret in clear", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, BASIC);
  expect(await openCredential(t.db, workspaceId, id)).toEqual(BASIC);

  const row = await t.db.credential.findFirstOrThrow({ where: { id } });
  expect(row.kind).toBe("basic");
  const bytes = Buffer.from(row.ciphertext).toString("latin1");
  expect(bytes).not.toContain("tide-and-time");
  expect(bytes).not.toContain("mira");
});

it("never seals to the same bytes twice", async () => {
  const { workspaceId } = await createCaller(t.db);
  const ids = [
    await saveCredential(t.db, workspaceId, BASIC),
    await saveCredential(t.db, workspaceId, BASIC),
  ];
  const rows = await t.db.credential.findMany({ where: { id: { in: ids } } });
  expect(Buffer.from(rows[0]?.ciphertext ?? []).equals(Buffer.from(rows[1]?.ciphertext ?? []))).toBe(false);
});

it.each(["nonce", "ciphertext", "tag"])("refuses a row with a flipped bit in its %s", async (part) => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, BASIC);
  const row = await t.db.credential.findFirstOrThrow({ where: { id } });
  const bytes = new Uint8Array(row.ciphertext);
  const at = { nonce: 0, ciphertext: 12, tag: bytes.length - 1 }[part] ?? 0;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await t.db.credential.updateMany({ where: { id }, data: { ciphertext: bytes } });

  const error = await openCredential(t.db, workspaceId, id).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CredentialUnreadable);
  expect(error).toMatchObject({ reason: "damaged", message: expect.stringContaining("needs reconnecting") });
});

it("refuses a truncated row", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, BASIC);
  await t.db.credential.updateMany({ where: { id }, data: { ciphertext: new Uint8Array(randomBytes(10)) } });
  await expect(openCredential(t.db, workspaceId, id)).rejects.toMatchObject({ reason: "damaged" });
});

it("does not open another workspace's credential, not even when its row is moved over", async () => {
  const [ours, theirs] = [await createCaller(t.db), await createCaller(t.db)];
  const id = await saveCredential(t.db, theirs.workspaceId, BASIC);
  await expect(openCredential(t.db, ours.workspaceId, id)).rejects.toMatchObject({ code: "not_found" });

  await t.db.credential.updateMany({ where: { id }, data: { workspaceId: ours.workspaceId } });
  await expect(openCredential(t.db, ours.workspaceId, id)).rejects.toMatchObject({ reason: "damaged" });
});

it("does not open a ciphertext that was copied to another row of the workspace", async () => {
  const { workspaceId } = await createCaller(t.db);
  const from = await saveCredential(t.db, workspaceId, BASIC);
  const to = await saveCredential(t.db, workspaceId, { type: "bearer", token: "x" });
  const { ciphertext } = await t.db.credential.findFirstOrThrow({ where: { id: from } });
  await t.db.credential.updateMany({ where: { id: to }, data: { ciphertext } });
  await expect(openCredential(t.db, workspaceId, to)).rejects.toMatchObject({ reason: "damaged" });
});

it("says that a credential needs reconnecting when it was sealed under an unknown secret", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, BASIC);
  secrets.current = "another-".repeat(6);
  const error = await openCredential(t.db, workspaceId, id).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "conflict",
    reason: "unknown_key",
    message: expect.stringMatching(/another TIDEMARK_SECRET.*needs reconnecting/),
    info: { extra: { reason: "needs_reconnect" } },
  });
});

it("opens old rows and reseals them after the secret was rotated", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, BASIC);
  secrets.previous = [secrets.current];
  secrets.current = "rotated-".repeat(6);
  expect(await openCredential(t.db, workspaceId, id)).toEqual(BASIC);

  const lost = await saveCredential(t.db, workspaceId, BASIC);
  await t.db.credential.updateMany({ where: { id: lost }, data: { keyVersion: 7 } });
  const { resealed, unreadable } = await resealCredentials(t.db);
  expect(resealed).toBeGreaterThanOrEqual(1); // rows of other tests were sealed under the first one too
  expect(unreadable).toBeGreaterThanOrEqual(1);

  secrets.previous = [];
  expect(await openCredential(t.db, workspaceId, id)).toEqual(BASIC);
});

it("raises the revision with each change and lets one of two rival changes win", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, BASIC);
  const results = await Promise.allSettled(
    ["left", "right"].map((token) => saveCredential(t.db, workspaceId, { type: "bearer", token }, id, 1)),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  const open = await openCredentialRevision(t.db, workspaceId, id);
  expect(open.revision).toBe(2);
});

it("changes and deletes only what is the workspace's own", async () => {
  const [ours, theirs] = [await createCaller(t.db), await createCaller(t.db)];
  const id = await saveCredential(t.db, theirs.workspaceId, BASIC);
  await expect(saveCredential(t.db, ours.workspaceId, BASIC, id)).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await deleteCredential(t.db, ours.workspaceId, id)).toBe(false);
  expect(await deleteCredential(t.db, theirs.workspaceId, id)).toBe(true);
});

it("F42: ten callers with an expired secret renew it once and all get the new one", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, { type: "bearer", token: "refresh-0" });
  let asked = 0;
  // A second copy of the module stands for a second process: it shares no promise with the first, so
  // the row's lock is all that is between them.
  vi.resetModules();
  const others = await import("./refresh-credential");
  const renew = async () => {
    asked += 1;
    // The provider answers only once the other copy stands at the lock, or got past it.
    while (asked < 2 && !(await isSomeoneWaiting())) await new Promise(setImmediate);
    return { type: "bearer", token: `refresh-${asked}` } as const;
  };
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, caller) =>
      (caller % 2 === 0 ? refreshCredential : others.refreshCredential)(t.db, workspaceId, id, {
        seenRevision: 1,
        renew,
      }),
    ),
  );
  expect(asked).toBe(1);
  expect(results).toEqual(
    Array.from({ length: 10 }, () => ({ secret: { type: "bearer", token: "refresh-1" }, revision: 2 })),
  );
  expect(await openCredential(t.db, workspaceId, id)).toEqual({ type: "bearer", token: "refresh-1" });
});

async function isSomeoneWaiting(): Promise<boolean> {
  const [row] = await t.db.$queryRaw<{ waiting: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting`;
  return row?.waiting ?? false;
}

it("F42: a caller that comes late takes the renewed secret instead of asking again", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, { type: "bearer", token: "old" });
  await saveCredential(t.db, workspaceId, { type: "bearer", token: "new" }, id);
  const open = await refreshCredential(t.db, workspaceId, id, {
    seenRevision: 1,
    renew: () => Promise.reject(new Error("invalid_grant")),
  });
  expect(open).toEqual({ secret: { type: "bearer", token: "new" }, revision: 2 });
});

it("F42: a refused renewal changes nothing and frees the row", async () => {
  const { workspaceId } = await createCaller(t.db);
  const id = await saveCredential(t.db, workspaceId, { type: "bearer", token: "old" });
  const renew = () => Promise.reject(new Error("invalid_grant"));
  await expect(refreshCredential(t.db, workspaceId, id, { seenRevision: 1, renew })).rejects.toThrow(
    "invalid_grant",
  );
  expect(await openCredentialRevision(t.db, workspaceId, id)).toEqual({
    secret: { type: "bearer", token: "old" },
    revision: 1,
  });
});
