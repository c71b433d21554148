import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { getSource } from "@/server/sources/get-source";
import { claimLook } from "./claim-looks";
import { type LookOptions, lookForFeeds } from "./look-for-feeds";
import type { LookResult } from "./look-shape";

/** A person waits for it. */
const TIMEOUT_MS = 30_000;

/**
 * Looks for new feeds of a source at once, also where they are not added by themselves: who asks wants
 * what is found.
 *
 * @throws AppError not_found; conflict while it is paused, being deleted or looked at already, or when
 *   its upstream cannot be asked; upstream_failed with what to do, which the source shows too.
 */
export async function lookNow(
  db: Db,
  caller: Caller,
  { sourceId }: { sourceId: string },
  options: LookOptions = {},
): Promise<LookResult> {
  const { status, newFeeds } = await getSource(db, caller, { sourceId });
  if (status === "deleting") throw new AppError("conflict", "This source is being deleted.");
  if (status === "paused") {
    throw new AppError("conflict", "The source is paused. Resume it to look for new feeds.");
  }
  if (!newFeeds.isReady) {
    const message = newFeeds.isPossible
      ? "Nobody said where to look. Edit the source and enter an address."
      : "Sources of this type cannot be asked for new feeds.";
    throw new AppError("conflict", message);
  }
  const claim = await claimLook(db, caller, sourceId);
  if (!claim) throw new AppError("conflict", "New feeds are being looked for right now.");
  const outcome = await lookForFeeds(db, caller, claim, { timeoutMs: TIMEOUT_MS, ...options });
  switch (outcome.status) {
    case "looked":
      return outcome.result;
    case "failed":
      throw new AppError("upstream_failed", outcome.message, { extra: { upstreamCode: outcome.code } });
    case "superseded":
      throw new AppError("conflict", "The source was changed while it was looked at. Try again.");
  }
}
