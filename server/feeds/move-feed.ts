import { getAdapter } from "@/adapters/registry";
import { maskUrl } from "@/sdk/mask-url";
import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import { type Db, type Feed, Prisma, type Source, type Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { lockFeed } from "@/server/ingest/lock-feed";
import { refuseWhileRunning, writeReset } from "@/server/ingest/reset-cursor";
import { publish } from "@/server/live/publish";
import { moveSecret } from "@/server/runs/adopt-redirect";
import { inTransaction, isDuplicate } from "@/server/transaction";
import type { ApiFeed } from "./feed-shape";
import { getFeed, requireFeed } from "./get-feed";
import { moveRule } from "./move-rule";
import { refuseDeleting } from "./refuse-deleting";
import { forgetRefusals, refuseFeed } from "./refused-feeds";
import type { MoveFeedInput } from "./schema";
import { refuseField, toStoredKey } from "./stored-key";

/**
 * Gives a feed another address by hand, as adopting a redirect does by itself: it stays the same feed, with
 * its documents, history and, where that makes sense there, its position (move-rule.ts). What belonged to
 * the old address goes: validators, failures, a wait it asked for. Nothing is deleted; what the new address
 * brings again is recognised.
 *
 * @throws AppError feed_not_found, feed_deleting, run_active; conflict where the address is another feed
 *   of the source, or for a source that only gets pushes; invalid_request with paths.
 */
export async function moveFeed(
  db: Db,
  caller: Caller,
  { feedId, externalKey, position }: MoveFeedInput & { feedId: string },
): Promise<ApiFeed> {
  await requireFeed(db, caller, feedId);
  const move = (tx: Tx) => moveLocked(tx, caller, feedId, externalKey, position);
  const changed = await inTransaction(db, move).catch((error: unknown) => {
    throw isDuplicate(error) ? isTaken(maskUrl(externalKey)) : error;
  });
  if (changed) publish(db, caller, { feed: [feedId], source: [changed.sourceId] });
  return getFeed(db, caller, { feedId });
}

async function moveLocked(
  tx: Tx,
  caller: Caller,
  feedId: string,
  externalKey: string,
  position: MoveFeedInput["position"],
): Promise<{ sourceId: string } | null> {
  const { workspaceId } = caller;
  refuseDeleting(await lockFeed(tx, workspaceId, feedId));
  const { source, ...feed } = await tx.feed.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: feedId } },
    include: { source: { select: { id: true, type: true, runsOn: true } } },
  });
  const target = toTarget(source, externalKey);
  if (target.storedKey === feed.externalKey) return null;
  await refuseWhileRunning(tx, workspaceId, feedId, "change the address");
  const rule = moveRule(feed, externalKey);
  if (rule === "restart" && position === "keep") {
    const message = "The position was given by the old address; at another one the feed has to start over.";
    throw refuseField({ path: "position", code: "restart_needed", message });
  }
  await refuseRival(tx, feed, target.storedKey);

  const of = { workspaceId, sourceId: source.id, type: source.type };
  await refuseFeed(tx, workspaceId, feedId, "moved");
  await forgetRefusals(tx, of, [target.storedKey]);
  const credentialId = await moveSecret(tx, feed, target.secretUrl);
  await tx.feed.update({
    where: { workspaceId_id: { workspaceId, id: feedId } },
    data: { externalKey: target.storedKey, credentialId, ...freshStart(feed, source.runsOn) },
  });
  const isRestarted = position === "restart" && rule !== "kept";
  if (isRestarted) {
    const reason = "The feed's address was changed.";
    await writeReset(tx, caller, { feedId, from: feed.cursor, to: null, reason });
  }
  await audit(tx, caller, "feed.move", feedId, { from: feed.externalKey, to: target.storedKey, isRestarted });
  return { sourceId: source.id };
}

/** @throws AppError conflict for pushes, invalid_request for no address. */
export function toTarget({ type, runsOn }: Pick<Source, "type" | "runsOn">, externalKey: string) {
  const adapter = getAdapter(type);
  if (!adapter || runsOn === "api") {
    const message =
      "Programs find this feed by its key: with another one they would make another feed. Add a feed with the key you want instead.";
    throw new AppError("conflict", message);
  }
  return { adapter, ...toStoredKey(adapter, externalKey, "externalKey") };
}

/** What the old address left behind. A person's pause stays; one by failures was about the old address. */
function freshStart(feed: Feed, runsOn: string): Prisma.FeedUncheckedUpdateInput {
  const stays = feed.state === "paused" && feed.pausedBy !== "failures";
  const isPolled = runsOn === "cloud" && !stays;
  return {
    adapterState: Prisma.DbNull,
    hints: Prisma.DbNull,
    error: Prisma.DbNull,
    redirectTo: null,
    redirectRuns: 0,
    rateLimitedUntil: null,
    failingSince: null,
    consecutiveFailures: 0,
    stuckRuns: 0,
    ...(stays ? {} : { state: "active", pausedBy: null }),
    nextSyncAt: isPolled ? new Date() : null,
    nextSyncReason: isPolled ? "The address was changed" : null,
    updatedAt: new Date(),
  };
}

async function refuseRival(tx: Tx, feed: Pick<Feed, "workspaceId" | "sourceId" | "id">, externalKey: string) {
  const rival = await findRival(tx, feed, externalKey);
  if (rival) throw isTaken(externalKey, rival.id);
}

/** Another feed of the same source under this key. */
export function findRival(
  db: Db | Tx,
  { workspaceId, sourceId, id }: Pick<Feed, "workspaceId" | "sourceId" | "id">,
  externalKey: string,
) {
  return db.feed.findFirst({
    where: { workspaceId, sourceId, externalKey, id: { not: id }, state: { not: "deleting" } },
    select: { id: true, name: true, upstreamTitle: true },
  });
}

function isTaken(externalKey: string, feedId?: string): AppError {
  const message = "This address is another feed of the same source. One of the two can be deleted.";
  return new AppError("conflict", message, { details: { externalKey }, extra: feedId ? { feedId } : {} });
}
