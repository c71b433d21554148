"use server";

import { getSessionPrincipal } from "@/server/access/session";
import { signOutEverywhere as endSessions } from "@/server/access/users";
import { db } from "@/server/db";

/** Ends every session of the person who asks, this one too. */
export async function signOutEverywhere(): Promise<void> {
  const principal = await getSessionPrincipal();
  if (principal?.userId) await endSessions(db(), principal.caller, principal.userId);
}
