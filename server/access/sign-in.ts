import { verifyPassword } from "@/server/access/passwords";
import { emailInput } from "@/server/access/schema";
import { bookAttempt, forgiveAttempt, signInCounters } from "@/server/access/throttle";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";

export type SignedIn = { id: string; email: string; name: string; sessionVersion: number };

/**
 * Checks e-mail and password.
 *
 * @param address Whom failures count against besides the account: clientAddress(headers).
 * @returns null when either is wrong; which one is not said, nor by the time it takes.
 * @throws AppError rate_limited while account or address are blocked, right password or not;
 *   forbidden when the password is right but the person belongs to no workspace.
 */
export async function signIn(
  db: Db,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<SignedIn | null> {
  const parsed = emailInput.safeParse(email);
  const counters = signInCounters(parsed.data ?? "", address);
  await bookAttempt(db, counters);

  const user = parsed.success ? await db.user.findUnique({ where: { email: parsed.data } }) : null;
  const isRight = await verifyPassword(user?.passwordHash ?? null, password.slice(0, 512));
  if (!user || !isRight) return null;
  await forgiveAttempt(db, counters);

  if ((await db.membership.count({ where: { userId: user.id } })) === 0) {
    throw new AppError("forbidden", "This account belongs to no workspace.");
  }
  await db.user.update({ where: { id: user.id }, data: { lastSignInAt: new Date() } });
  return { id: user.id, email: user.email, name: user.name, sessionVersion: user.sessionVersion };
}
