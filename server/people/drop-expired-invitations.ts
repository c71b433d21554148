import type { Db } from "@/server/db";

/** So long an admin still sees that somebody never came, and can ask again. */
const SHOWN_DAYS = 30;

/** Forgets addresses that were invited and never joined. @returns how many. */
export async function dropExpiredInvitations(db: Db): Promise<number> {
  // Raw because the clock is the database's, as in everything that compares with expires_at there.
  return db.$executeRaw`
    DELETE FROM invitations WHERE expires_at < clock_timestamp() - make_interval(days => ${SHOWN_DAYS}::int)`;
}
