import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/server/env";
import { requestIdOf } from "@/server/request-id";

/**
 * Lets in who carries `Authorization: Bearer $CRON_SECRET`, the convention of hosted schedulers.
 *
 * @returns null, or the 401 to answer. Without a configured secret nobody gets in.
 */
export function refuseCronCaller(request: Request): Response | null {
  const secret = env().CRON_SECRET;
  const [, given = ""] = /^bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (secret !== undefined && isSameSecret(given.trim(), secret)) return null;
  const detail =
    secret === undefined
      ? "This server has no CRON_SECRET, so nobody can call this route. Set it, or let the server schedule by itself."
      : "Send the header Authorization: Bearer with the value of CRON_SECRET.";
  const problem = {
    type: "about:blank",
    title: "Unauthenticated",
    status: 401,
    detail,
    code: "unauthenticated",
    requestId: requestIdOf(request.headers),
  };
  return new Response(JSON.stringify(problem), {
    status: 401,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "www-authenticate": "Bearer",
    },
  });
}

/** Hashed first: timingSafeEqual needs equal lengths, and the length of the secret is its own matter. */
function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
