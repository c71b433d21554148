import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { requireScope, type Scope } from "@/server/access/principal";
import { enforceRateLimit } from "@/server/access/rate-limit";
import { AppError } from "@/server/errors";
import { log } from "@/server/log";
import type { TRPCContext } from "./context";
import { describeError, toTRPCError } from "./map-error";

const t = initTRPC.context<TRPCContext>().create({
  transformer: superjson,
  // No stack traces, in development neither: the log has them.
  isDev: false,
  sse: {
    // Often enough that a page knows within moments that the connection is gone.
    ping: { enabled: true, intervalMs: 5_000 },
    client: { reconnectAfterInactivityMs: 12_000 },
  },
  errorFormatter: ({ shape, error, ctx }) => describeError(shape, error, ctx?.requestId ?? null),
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** For everyone, signed in or not. Translates what use cases throw. */
export const publicProcedure = t.procedure.use(async ({ next, ctx, path }) => {
  const result = await next();
  if (result.ok) return result;
  const error = toTRPCError(result.error);
  if (error.code === "INTERNAL_SERVER_ERROR") {
    log.error({ err: error.cause ?? error, requestId: ctx.requestId, path }, "unexpected error");
  }
  throw error;
});

/**
 * For people and programs that may do this.
 *
 * @param scope what their role or token must include.
 */
export function procedureWith(scope: Scope) {
  return publicProcedure.use(async ({ ctx, next }) => {
    const { db, principal, requestId } = ctx;
    if (!principal) throw ctx.refusal ?? new AppError("unauthenticated", "Sign in to continue.");
    await enforceRateLimit(db, principal);
    requireScope(principal, scope);
    return next({ ctx: { ...ctx, principal, caller: { ...principal.caller, requestId } } });
  });
}

/**
 * For signed-in people alone: what concerns accounts and who belongs here. A token would hand on what outlives its
 * own revocation.
 */
export function personProcedure(scope: Scope) {
  return procedureWith(scope).use(({ ctx, next }) => {
    const { userId, role } = ctx.principal;
    if (userId === null || role === null) {
      throw new AppError("forbidden", "This is for people: sign in to the dashboard. Tokens may not do it.");
    }
    return next({ ctx: { ...ctx, person: { userId, role } } });
  });
}
