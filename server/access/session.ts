import "server-only";
import { cookies, headers } from "next/headers";
import { requestOrigin } from "@/server/access/peer";
import type { Principal } from "@/server/access/principal";
import {
  readSession,
  SESSION_SECONDS,
  type SessionClaims,
  sealSession,
  sessionCookieName,
} from "@/server/access/read-session";
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

/** Puts another session into the cookie of the current request's browser, as NextAuth would. */
export async function renewSession(claims: SessionClaims): Promise<void> {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const isSecure = requestOrigin(head).startsWith("https:");
  jar.set(sessionCookieName(isSecure), await sealSession(claims), {
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure,
    path: "/",
    maxAge: SESSION_SECONDS,
  });
}
