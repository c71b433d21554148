import { adapters } from "@/adapters/registry";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { claimDueLooks } from "./claim-looks";
import { type LookOptions, lookForFeeds } from "./look-for-feeds";

/** At the same time in one process: they mostly wait for upstreams, and nobody waits for them. */
const CONCURRENCY = 3;
/** A look that begins with less time left would only be cut short by a cron call's end. */
const ROUND_MS = 30_000;

/** Looks for new feeds wherever it is time to; several processes share the work. @returns how many looks ended. */
export async function lookWhereDue(
  db: Db,
  { roundMs = ROUND_MS, ...options }: LookOptions & { roundMs?: number } = {},
): Promise<number> {
  const types = adapters
    .filter(({ discover, discoversMany }) => discover && discoversMany)
    .map(({ type }) => type);
  const until = performance.now() + roundMs;
  let ended = 0;
  while (!options.signal?.aborted && performance.now() < until) {
    const claims = await claimDueLooks(db, { types, limit: CONCURRENCY });
    if (claims.length === 0) break;
    const looks = claims.map((claim) => {
      const caller = { workspaceId: claim.workspaceId, actor: { type: "scheduler" } } as const;
      return lookForFeeds(db, caller, claim, options);
    });
    for (const [index, look] of (await Promise.allSettled(looks)).entries()) {
      if (look.status === "fulfilled") ended += 1;
      else if (!options.signal?.aborted) {
        log.warn({ err: look.reason, sourceId: claims[index]?.sourceId }, "looking for new feeds failed");
      }
    }
  }
  return ended;
}
