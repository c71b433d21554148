import type { Caller } from "@/server/actor";
import { type Db, Prisma, type Source } from "@/server/db";
import { AppError } from "@/server/errors";
import { publish } from "@/server/live/publish";
import { lockSource } from "@/server/sources/lock-source";
import { inTransaction } from "@/server/transaction";
import { addFoundFeeds } from "./add-found-feeds";
import { type AskOptions, askForFeeds } from "./ask-for-feeds";
import { type ClaimedLook, releaseLook } from "./claim-looks";
import { nextLook, retryLook } from "./look-schedule";
import type { LookResult } from "./look-shape";

export type LookOptions = Partial<AskOptions> & { random?: () => number };

/** How a look ended. `superseded`: the source was paused, deleted or changed meanwhile; nothing was written. */
export type LookOutcome =
  | { status: "looked"; result: LookResult }
  | { status: "failed"; code: string; message: string }
  | { status: "superseded" };

/** Half the lease of claim-looks.ts at most, so that a look never outlives its claim. */
const MAX_LOOK_MS = 60_000;

/**
 * Looks for feeds that a source's upstream offers by now, and adds them. The question is asked outside any
 * transaction; what it brought is written in one, fenced by the claim: whoever lost it writes nothing.
 *
 * @param options.timeoutMs at most a minute.
 * @throws the signal's reason when the process stops; the claim is given back then.
 */
export async function lookForFeeds(
  db: Db,
  caller: Caller,
  claim: ClaimedLook,
  { now = () => new Date(), random = Math.random, ...options }: LookOptions = {},
): Promise<LookOutcome> {
  const timeoutMs = Math.min(options.timeoutMs ?? MAX_LOOK_MS, MAX_LOOK_MS);
  try {
    const source = await readClaimed(db, claim);
    if (!source) return { status: "superseded" };
    publish(db, caller, { source: [source.id] });
    const answer = await askForFeeds(db, caller, source, { ...options, now, timeoutMs });
    const outcome = answer.ok
      ? await settle(db, caller, claim, async (tx, fresh) => {
          const result = await addFoundFeeds(tx, caller, fresh, answer.feeds);
          return {
            data: {
              lastLookAt: now(),
              lookFailures: 0,
              lookError: Prisma.DbNull,
              lookResult: result,
              nextLookAt: nextLook(now(), random),
            },
            outcome: { status: "looked", result },
          };
        })
      : await settle(db, caller, claim, async (_, { lookFailures }) => {
          const { error, retryAt } = answer.ending;
          return {
            data: {
              lastLookAt: now(),
              lookFailures: lookFailures + 1,
              lookError: { ...error, at: now().toISOString() },
              nextLookAt: retryLook(now(), lookFailures + 1, retryAt, random),
            },
            outcome: { status: "failed", code: error.code, message: error.message },
          };
        });
    // Paused or turned off meanwhile; once it is on again, nobody should have to wait for the lease.
    if (outcome.status === "superseded") await releaseLook(db, claim);
    const added = outcome.status === "looked" ? outcome.result.added.map(({ feedId }) => feedId) : [];
    publish(db, caller, { source: [source.id], feed: added });
    return outcome;
  } catch (error) {
    // After any other failure the lease's rest is the pause before the next try.
    if (options.signal?.aborted) await releaseLook(db, claim).catch(() => {});
    throw error;
  }
}

async function readClaimed(db: Db, { workspaceId, sourceId, attempt }: ClaimedLook): Promise<Source | null> {
  return db.source.findFirst({ where: { workspaceId, id: sourceId, lookAttempt: attempt, state: "active" } });
}

type Settled = { data: Prisma.SourceUpdateManyMutationInput; outcome: LookOutcome };

/** Writes a look's end, unless the claim was lost or the source is not to be touched any more. */
async function settle(
  db: Db,
  caller: Caller,
  { workspaceId, sourceId, attempt }: ClaimedLook,
  work: (tx: Prisma.TransactionClient, source: Source) => Promise<Settled>,
): Promise<LookOutcome> {
  try {
    return await inTransaction(db, async (tx) => {
      // The source's row first: what follows takes feeds, and that is the order.
      await lockSource(tx, caller, sourceId, "update");
      const source = await tx.source.findFirst({
        where: { workspaceId, id: sourceId, lookAttempt: attempt, state: "active" },
      });
      const isWanted = caller.actor.type !== "scheduler" || source?.addsNewFeeds;
      if (!source || !isWanted) return { status: "superseded" };
      const { data, outcome } = await work(tx, source);
      await tx.source.updateMany({
        where: { workspaceId, id: sourceId, lookAttempt: attempt },
        data: { ...data, lookLeaseUntil: null },
      });
      return outcome;
    });
  } catch (error) {
    if (error instanceof AppError && ["not_found", "conflict"].includes(error.code))
      return { status: "superseded" };
    throw error;
  }
}
