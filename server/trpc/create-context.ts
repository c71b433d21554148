import "server-only";
import { authenticateToken } from "@/server/access/authenticate-token";
import { clientAddress, isForeignPage, isLocalRequest } from "@/server/access/peer";
import type { Principal } from "@/server/access/principal";
import { getSessionPrincipal, renewSession } from "@/server/access/session";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { requestIdOf } from "@/server/request-id";
import type { TRPCContext } from "./context";

/** Who asks: the bearer of a token if one was sent, else the signed-in person. */
export async function createContext(headers: Headers): Promise<TRPCContext> {
  const who = await identify(headers);
  return {
    db: db(),
    ...who,
    requestId: requestIdOf(headers),
    peer: { isLocal: isLocalRequest(headers), address: clientAddress(headers) },
    renewSession,
  };
}

async function identify(headers: Headers): Promise<{ principal: Principal | null; refusal?: AppError }> {
  const authorization = headers.get("authorization");
  if (authorization === null) {
    // A cookie speaks for the person only where a page of this very site asked.
    return { principal: isForeignPage(headers) ? null : await getSessionPrincipal() };
  }
  try {
    return { principal: await authenticateToken(db(), authorization) };
  } catch (error) {
    // Thrown later, inside the procedure, where it becomes an answer like every other.
    if (error instanceof AppError) return { principal: null, refusal: error };
    throw error;
  }
}
