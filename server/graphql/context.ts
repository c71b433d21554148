import { type Principal, requireScope, type Scope } from "@/server/access/principal";
import { enforceRateLimit } from "@/server/access/rate-limit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";

/** What every resolver is handed. One per request. */
export type GraphqlContext = {
  db: Db;
  principal: Principal;
  caller: Caller;
  requestId: string;
  /** Operations (root fields) carried out so far; the first is paid for at the door. */
  calls: number;
};

/**
 * Asked before every root field, by guard-operations.ts: ten of them in one request cost what ten requests do.
 *
 * @throws AppError forbidden, rate_limited
 */
export async function authorise(context: GraphqlContext, scope: Scope): Promise<void> {
  const isFirst = context.calls === 0;
  context.calls += 1;
  if (!isFirst) await enforceRateLimit(context.db, context.principal);
  requireScope(context.principal, scope);
}
