import { env } from "@/server/env";
import { AppError } from "@/server/errors";

const shared = globalThis as typeof globalThis & { __tidemarkInFlight?: Map<string, number> };

/**
 * Takes a place among the requests of one token that this process carries out at the same time, so that
 * one client cannot have the memory and the connections of all. Give it back with `leave`.
 *
 * @throws AppError rate_limited when all TIDEMARK_MAX_CONCURRENT places are taken.
 */
export function enter(tokenId: string): void {
  shared.__tidemarkInFlight ??= new Map();
  const inFlight = shared.__tidemarkInFlight.get(tokenId) ?? 0;
  const limit = env().TIDEMARK_MAX_CONCURRENT;
  if (inFlight >= limit) {
    throw new AppError(
      "rate_limited",
      `Too many requests at the same time: ${limit} of this token are being carried out. Wait for one to end.`,
      { retryAfterSeconds: 1 },
    );
  }
  shared.__tidemarkInFlight.set(tokenId, inFlight + 1);
}

export function leave(tokenId: string): void {
  const inFlight = shared.__tidemarkInFlight?.get(tokenId) ?? 0;
  if (inFlight > 1) shared.__tidemarkInFlight?.set(tokenId, inFlight - 1);
  else shared.__tidemarkInFlight?.delete(tokenId);
}
