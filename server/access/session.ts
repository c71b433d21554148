import "server-only";
import { cookies, headers } from "next/headers";
import { requestOrigin } from "@/server/access/peer";
import type { Principal } from "@/server/access/principal";
import { readSession } from "@/server/access/read-session";
import { db } from "@/server/db";

/**
 * The signed-in person of the current request (server components, route handlers, actions), or null.
 * Session version and membership are read each time: signing out everywhere and removing a member
 * take effect with the next request.
 */
export async function getSessionPrincipal(): Promise<Principal | null> {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const values = Object.fromEntries(jar.getAll().map(({ name, value }) => [name, value]));
  return readSession(db(), values, { isSecure: requestOrigin(head).startsWith("https:") });
}
