import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import { generatePassword, hashPassword, verifyPassword } from "@/server/access/passwords";
import { changePasswordInput, emailInput, passwordInput, renameUserInput } from "@/server/access/schema";
import { bookAttempt, forgiveAttempt, signInCounters } from "@/server/access/throttle";
import type { Actor, Caller } from "@/server/actor";
import { type Db, Prisma, type Role, type Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { publish } from "@/server/live/publish";
import { isDuplicate } from "@/server/transaction";

/**
 * Inserts a person and their membership, with the audit entry. The e-mail must be parsed already.
 *
 * @param detail what else the entry says.
 *
 * @throws AppError conflict when the e-mail is taken.
 */
export async function insertMember(
  tx: Tx,
  caller: Caller,
  user: { id: string; email: string; name: string; passwordHash: string; role: Role },
  detail: Record<string, unknown> = {},
): Promise<void> {
  const { role, ...columns } = user;
  try {
    await tx.user.create({ data: columns });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new AppError("conflict", `There is an account with the e-mail ${user.email} already.`);
  }
  await tx.membership.create({ data: { workspaceId: caller.workspaceId, userId: user.id, role } });
  await audit(tx, caller, "user.create", user.id, { email: user.email, name: user.name, role, ...detail });
}

/**
 * Sets a new password and signs the person out everywhere.
 *
 * @param password Omitted: one is generated.
 * @returns The password that holds now.
 * @throws AppError not_found
 */
export async function resetPassword(
  db: Db,
  actor: Actor,
  input: { email: string; password?: string },
): Promise<{ password: string }> {
  const email = parseInput(emailInput, input.email);
  const password =
    input.password === undefined ? generatePassword() : parseInput(passwordInput, input.password);
  const passwordHash = await hashPassword(password);
  await db.$transaction(async (tx) => {
    const [user] = await tx.user.updateManyAndReturn({
      where: { email },
      data: { passwordHash, sessionVersion: { increment: 1 } },
      select: { id: true },
    });
    if (!user) throw new AppError("not_found", `There is no account with the e-mail ${email}.`);
    // A person locked out by their own guesses asked for this.
    await tx.$executeRaw`DELETE FROM sign_in_throttles WHERE key = ${signInCounters(email, "")[1]?.key ?? ""}`;
    await auditInEveryWorkspace(tx, actor, "user.reset_password", user.id);
  });
  return { password };
}

/**
 * A person changes their own password; every session ends, this one too.
 *
 * @returns What a session carries from now on: whoever asked may go on with a new one.
 * @throws AppError invalid_request when the current password is wrong; rate_limited after too many tries.
 */
export async function changePassword(
  db: Db,
  caller: Caller,
  input: { userId: string; currentPassword: string; newPassword: string; address: string },
): Promise<{ sessionVersion: number }> {
  const { currentPassword, newPassword } = parseInput(changePasswordInput, input);
  const user = await db.user.findUnique({ where: { id: input.userId } });
  if (!user) throw new AppError("not_found", "There is no such account.");
  const counters = signInCounters(user.email, input.address);
  await bookAttempt(db, counters);
  if (!(await verifyPassword(user.passwordHash, currentPassword))) {
    const message = "This is not your current password.";
    throw new AppError("invalid_request", message, {
      fields: [{ path: "currentPassword", code: "wrong_password", message }],
    });
  }
  await forgiveAttempt(db, counters);
  const passwordHash = await hashPassword(newPassword);
  return db.$transaction(async (tx) => {
    const [changed] = await tx.user.updateManyAndReturn({
      // The hash that was verified: a reset in between must not be undone.
      where: { id: user.id, passwordHash: user.passwordHash },
      data: { passwordHash, sessionVersion: { increment: 1 } },
      select: { sessionVersion: true },
    });
    if (!changed) throw new AppError("conflict", "The password was changed elsewhere meanwhile.");
    await auditInEveryWorkspace(tx, caller.actor, "user.change_password", user.id, caller.requestId);
    return changed;
  });
}

/** A person changes how they are called. What they did before keeps the name it was done under. */
export async function renameUser(
  db: Db,
  caller: Caller,
  input: { userId: string; name: string },
): Promise<{ name: string }> {
  const { name } = parseInput(renameUserInput, input);
  await db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({ where: { id: input.userId }, data: { name } });
    if (count === 0) throw new AppError("not_found", "There is no such account.");
    await auditInEveryWorkspace(tx, caller.actor, "user.rename", input.userId, caller.requestId);
  });
  publish(db, caller, { person: [input.userId] });
  return { name };
}

/** Ends every session of a person, on every device, with its next request. */
export async function signOutEverywhere(db: Db, caller: Caller, userId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: userId, memberships: { some: { workspaceId: caller.workspaceId } } },
      data: { sessionVersion: { increment: 1 } },
    });
    if (count === 0) throw new AppError("not_found", "There is no such person in this workspace.");
    await auditInEveryWorkspace(tx, caller.actor, "user.sign_out_everywhere", userId, caller.requestId);
  });
}

export type ListedUser = {
  id: string;
  email: string;
  name: string;
  workspaceId: number | null;
  role: Role | null;
};

/** Everyone, once per workspace, for the command line. */
export function listUsers(db: Db): Promise<ListedUser[]> {
  return db.$queryRaw<ListedUser[]>(Prisma.sql`
    SELECT u.id, u.email, u.name, m.workspace_id AS "workspaceId", m.role::text AS role
      FROM users u LEFT JOIN memberships m ON m.user_id = u.id
     ORDER BY u.email, m.workspace_id`);
}

/** An account reaches across workspaces, so each of them reads of its changes. */
async function auditInEveryWorkspace(
  tx: Tx,
  actor: Actor,
  action: string,
  userId: string,
  requestId?: string,
): Promise<void> {
  const memberships = await tx.membership.findMany({ where: { userId }, select: { workspaceId: true } });
  for (const { workspaceId } of memberships) {
    await audit(tx, { workspaceId, actor, requestId }, action, userId);
  }
}
