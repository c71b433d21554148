import type { Db } from "@/server/db";

/** Removes cooldowns that are over and request slots of processes that died. */
export async function dropExpiredHostRows(db: Db): Promise<number> {
  const cooldowns = await db.$executeRaw`DELETE FROM host_cooldowns WHERE until < clock_timestamp()`;
  // Expired slots are taken over where the host is still used; this is for the others.
  const slots = await db.$executeRaw`DELETE FROM host_slots WHERE expires_at < clock_timestamp()`;
  return cooldowns + slots;
}
