import { authenticateToken } from "@/server/access/authenticate-token";
import { isForeignPage, requestOrigin } from "@/server/access/peer";
import type { Principal } from "@/server/access/principal";
import { readSession } from "@/server/access/read-session";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";

/**
 * Who asks: the bearer of a token if one was sent, else the signed-in person. A cookie speaks for the
 * person only where a page of this very site asked; from elsewhere nobody does.
 *
 * @throws AppError unauthenticated
 */
export async function identify(db: Db, headers: Headers): Promise<Principal> {
  const authorization = headers.get("authorization");
  if (authorization !== null) return authenticateToken(db, authorization);
  const person = await findPerson(db, headers);
  if (person) return person;
  throw new AppError("unauthenticated", "Send an API token: Authorization: Bearer tdm_… (or sign in).");
}

/** The person whose cookie it is, or null. */
export async function findPerson(db: Db, headers: Headers): Promise<Principal | null> {
  if (isForeignPage(headers)) return null;
  return readSession(db, readCookies(headers), { isSecure: requestOrigin(headers).startsWith("https:") });
}

function readCookies(headers: Headers): Record<string, string> {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim(), value.join("=").trim()] as const;
  });
  return Object.fromEntries(pairs);
}
