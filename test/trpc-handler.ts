import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { authenticateToken } from "@/server/access/authenticate-token";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { findPerson } from "@/server/graphql/identify";
import { requestIdOf } from "@/server/request-id";
import type { TRPCContext } from "@/server/trpc/context";
import { appRouter } from "@/server/trpc/root";

/** The tRPC API as a function from Request to Response, over any database; as app/api/trpc, without Next. */
export function createTrpcHandler(db: Db): (request: Request) => Promise<Response> {
  return async (request) => {
    const context = await createTrpcContext(db, new Headers(request.headers));
    return fetchRequestHandler({
      endpoint: "/api/trpc",
      req: request,
      router: appRouter,
      createContext: () => context,
    });
  };
}

/** What a procedure is handed for a request with these headers. */
export async function createTrpcContext(db: Db, headers: Headers): Promise<TRPCContext> {
  return {
    db,
    ...(await identify(db, headers)),
    requestId: requestIdOf(headers),
    peer: { isLocal: true, address: "127.0.0.1" },
  };
}

async function identify(db: Db, headers: Headers): Promise<Pick<TRPCContext, "principal" | "refusal">> {
  const authorization = headers.get("authorization");
  if (authorization === null) return { principal: await findPerson(db, headers) };
  try {
    return { principal: await authenticateToken(db, authorization) };
  } catch (error) {
    if (error instanceof AppError) return { principal: null, refusal: error };
    throw error;
  }
}
