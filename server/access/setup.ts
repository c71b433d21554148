import { createHmac, timingSafeEqual } from "node:crypto";
import { audit } from "@/server/access/audit";
import { DEMO_EMAIL } from "@/server/access/demo";
import { parseInput } from "@/server/access/parse-input";
import { hashPassword } from "@/server/access/passwords";
import { createOwnerInput } from "@/server/access/schema";
import { bookAttempt, forgiveAttempt, setupCounters } from "@/server/access/throttle";
import { insertMember } from "@/server/access/users";
import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { newId, sha256 } from "@/server/ids";
import { inTransaction } from "@/server/transaction";
import { deriveKey } from "@/server/vault/key-ring";

/** Does this installation still wait for its owner? */
export async function setupStatus(db: Db): Promise<{ needed: boolean }> {
  return { needed: !(await hasOwner(db)) };
}

/**
 * Arms the set-up code while there is no owner; start scripts print it.
 *
 * Derived from TIDEMARK_SECRET and not random: only its hash is stored, yet a restart, or a second
 * process on the same database, must print the code that already holds.
 *
 * @returns The code, or null once there is an owner.
 */
export async function ensureSetupCode(db: Db): Promise<string | null> {
  const { epoch } = await db.instance.findUniqueOrThrow({ where: { id: 1 } });
  const code = deriveSetupCode(epoch);
  const armed = await db.$executeRaw`
    UPDATE instance SET setup_code_hash = ${sha256(normaliseCode(code))}::bytea
     WHERE id = 1
       AND NOT EXISTS (SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
                        WHERE m.role = 'owner' AND u.email <> ${DEMO_EMAIL}::text)`;
  return armed === 1 ? code : null;
}

/**
 * The first visit: creates the workspace and its owner.
 *
 * @param request `isLocal` (isLocalRequest) spares the code; `address` (clientAddress) is what wrong
 *   codes count against.
 * @throws AppError conflict once there is an owner; forbidden for a missing or wrong code;
 *   rate_limited after too many wrong ones; invalid_request.
 */
export async function createOwner(
  db: Db,
  input: { email: string; password: string; name: string; workspaceName: string; code?: string },
  request: { isLocal: boolean; address: string; requestId?: string },
): Promise<{ userId: string; workspaceId: number }> {
  const { email, password, name, workspaceName, code } = parseInput(createOwnerInput, input);
  if (await hasOwner(db)) throw alreadySetUp();
  if (!request.isLocal) await checkCode(db, code, request.address);

  const passwordHash = await hashPassword(password); // slow on purpose, so outside the transaction
  const userId = newId("usr");
  return inTransaction(db, async (tx) => {
    // Of two first visitors one waits here, and then finds the other's owner in the next statement.
    await lockInstance(tx);
    if (await hasOwner(tx)) throw alreadySetUp();
    const workspace = await tx.workspace.create({ data: { name: workspaceName } });
    const caller: Caller = {
      workspaceId: workspace.id,
      actor: { type: "user", id: userId, name },
      requestId: request.requestId,
    };
    await audit(tx, caller, "workspace.create", String(workspace.id), { name: workspaceName });
    await insertMember(tx, caller, { id: userId, email, name, passwordHash, role: "owner" });
    await tx.instance.update({ where: { id: 1 }, data: { setupCodeHash: null } });
    return { userId, workspaceId: workspace.id };
  });
}

/** Serialises everything that may create the first owner. */
export async function lockInstance(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT id FROM instance WHERE id = 1 FOR UPDATE`;
}

/** The demo's owner does not count: whoever looked around first still gets to set up their own. */
export async function hasOwner(db: Db | Tx): Promise<boolean> {
  const where = { role: "owner", user: { email: { not: DEMO_EMAIL } } } as const;
  return (await db.membership.findFirst({ where, select: { userId: true } })) !== null;
}

/** Is there a demo to sign in to? */
export async function hasDemo(db: Db): Promise<boolean> {
  return (await db.user.findUnique({ where: { email: DEMO_EMAIL }, select: { id: true } })) !== null;
}

async function checkCode(db: Db, code: string | undefined, address: string): Promise<void> {
  if (!code) {
    throw new AppError(
      "forbidden",
      "Setting up from another machine needs the set-up code that the server printed in its terminal.",
    );
  }
  const counters = setupCounters(address);
  await bookAttempt(db, counters);
  const { setupCodeHash } = await db.instance.findUniqueOrThrow({ where: { id: 1 } });
  // Hashes of equal length, so the comparison can be constant in time.
  const isRight = setupCodeHash !== null && timingSafeEqual(setupCodeHash, sha256(normaliseCode(code)));
  if (!isRight) {
    throw new AppError("forbidden", "The set-up code is wrong. It is printed in the server's terminal.");
  }
  await forgiveAttempt(db, counters);
}

// Crockford's base 32: no I, L, O, U, so that reading it off a terminal is safe.
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function deriveSetupCode(epoch: string): string {
  const mac = createHmac("sha256", deriveKey(env().TIDEMARK_SECRET, "setup-code")).update(epoch).digest();
  const letters = [...mac.subarray(0, 12)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-"); // 60 bits, as XXXX-XXXX-XXXX
}

function normaliseCode(code: string): string {
  const letters = code.toUpperCase().replace(/[^0-9A-Z]/g, "");
  return letters.replaceAll("O", "0").replace(/[IL]/g, "1");
}

function alreadySetUp(): AppError {
  return new AppError(
    "conflict",
    "This Tidemark has its owner already. Sign in, or ask the owner to add you.",
  );
}
