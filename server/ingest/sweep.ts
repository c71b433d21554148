import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { lockFeed, requireWritable } from "./lock-feed";

/** The circuit breaker: a sweep of more than this share *and* more than this many waits for a person. */
const MAX_SWEPT_SHARE = 0.2;
const MAX_SWEPT_COUNT = 10;
const SAMPLE_SIZE = 20;
/**
 * A sweep is one transaction however many documents go: 200,000 take some six seconds on a fast disk.
 * Cut short by the usual limit, a large one would fail again with every listing and every approval.
 */
export const SWEEP_TIMEOUT_MS = 10 * 60 * 1000;

export type SweepResult = { swept: number; holdId: string | null; heldCount: number };

type Candidates = { total: number; live: number; sample: string[] };

/**
 * Tombstones what a complete listing did not bring, or holds that for a person when it is too much.
 *
 * Only rows the run could have seen: their key was not recorded and their seq is at most the safe
 * point at the run's start, so what others wrote meanwhile is spared. Call it inside the transaction
 * that finishes the run, after `lockFeed`.
 */
export async function sweepAfterListing(
  tx: Tx,
  caller: Caller,
  { feedId, runId }: { feedId: string; runId: string },
): Promise<SweepResult> {
  const { workspaceId } = caller;
  // A later complete listing knows better than the one whose deletes are held.
  const replaced = await tx.heldDelete.updateManyAndReturn({
    where: { workspaceId, feedId, status: "held" },
    data: { status: "replaced", decidedAt: new Date() },
    select: { id: true },
  });
  // A feed that stays empty is held anew with every listing; its lists must not pile up.
  for (const { id } of replaced) await tx.heldDeleteItem.deleteMany({ where: { workspaceId, holdId: id } });
  const { total, live, sample } = await findCandidates(tx, workspaceId, feedId, runId);
  if (total === 0) return { swept: 0, holdId: null, heldCount: 0 };

  const nothingRemains = total === live;
  const tooMany = total > MAX_SWEPT_COUNT && total > live * MAX_SWEPT_SHARE;
  if (nothingRemains || tooMany) {
    const reason = nothingRemains
      ? `The listing no longer brings any of the ${live} documents. An empty answer is more often a fault than a fact.`
      : `The listing no longer brings ${total} of ${live} documents (${Math.round((total / live) * 100)} %).`;
    return {
      swept: 0,
      holdId: await hold(tx, workspaceId, feedId, runId, { total, sample }, reason),
      heldCount: total,
    };
  }
  const [row] = await tx.$queryRaw<{ swept: number }[]>`
    SELECT tombstone_documents(
             ${workspaceId}::int,
             ARRAY(SELECT u.id FROM unlisted_documents(${workspaceId}::int, ${feedId}, ${runId}) u ORDER BY u.seq),
             'sweep', ${runId}) AS swept`;
  const swept = row?.swept ?? 0;
  await countDeleted(tx, workspaceId, feedId, swept);
  return { swept, holdId: null, heldCount: 0 };
}

async function findCandidates(
  tx: Tx,
  workspaceId: number,
  feedId: string,
  runId: string,
): Promise<Candidates> {
  const [row] = await tx.$queryRaw<{ total: bigint; sample: string[] | null; live: number }[]>`
    WITH gone AS MATERIALIZED (SELECT * FROM unlisted_documents(${workspaceId}::int, ${feedId}, ${runId}))
    SELECT (SELECT count(*) FROM gone) AS total,
           (SELECT array_agg(external_id) FROM (SELECT external_id FROM gone ORDER BY seq LIMIT ${SAMPLE_SIZE}::int) s) AS sample,
           (SELECT document_count FROM feeds WHERE workspace_id = ${workspaceId}::int AND id = ${feedId}) AS live`;
  return { total: Number(row?.total ?? 0), live: row?.live ?? 0, sample: row?.sample ?? [] };
}

async function hold(
  tx: Tx,
  workspaceId: number,
  feedId: string,
  runId: string,
  { total, sample }: { total: number; sample: string[] },
  reason: string,
): Promise<string> {
  const id = newId("hold");
  await tx.heldDelete.create({ data: { workspaceId, id, feedId, runId, count: total, sample, reason } });
  await tx.$executeRaw`
    INSERT INTO held_delete_items (workspace_id, hold_id, document_id, seq)
    SELECT ${workspaceId}::int, ${id}, u.id, u.seq FROM unlisted_documents(${workspaceId}::int, ${feedId}, ${runId}) u`;
  return id;
}

/**
 * Carries out a held sweep. A document that changed since it was held has another seq and is spared.
 *
 * @throws AppError not_found when the hold was decided or replaced already.
 */
export async function approveHeldDelete(
  db: Db,
  caller: Caller,
  { feedId, holdId }: { feedId: string; holdId: string },
): Promise<{ deleted: number; spared: number }> {
  const { workspaceId } = caller;
  const approve = async (tx: Tx) => {
    requireWritable(await lockFeed(tx, workspaceId, feedId));
    const { count, runId } = await decideHold(tx, caller, feedId, holdId, "approved");
    const [row] = await tx.$queryRaw<{ deleted: number }[]>`
      SELECT tombstone_documents(
               ${workspaceId}::int,
               ARRAY(SELECT d.id
                       FROM held_delete_items i
                       JOIN documents d ON d.workspace_id = i.workspace_id AND d.id = i.document_id AND d.seq = i.seq
                      WHERE i.workspace_id = ${workspaceId}::int AND i.hold_id = ${holdId} AND d.state = 'live'
                      ORDER BY i.seq),
               'sweep', ${runId}) AS deleted`;
    const deleted = row?.deleted ?? 0;
    await countDeleted(tx, workspaceId, feedId, deleted);
    await tx.heldDeleteItem.deleteMany({ where: { workspaceId, holdId } });
    await audit(tx, caller, "held_delete.approve", holdId, { feedId, deleted, spared: count - deleted });
    return { deleted, spared: count - deleted };
  };
  const result = await inTransaction(db, approve, { timeoutMs: SWEEP_TIMEOUT_MS });
  publish(db, caller, { feed: [feedId], documents: [feedId] });
  return result;
}

/** Keeps the documents. @throws AppError not_found when the hold was decided or replaced already. */
export async function dismissHeldDelete(
  db: Db,
  caller: Caller,
  { feedId, holdId }: { feedId: string; holdId: string },
): Promise<void> {
  const { workspaceId } = caller;
  await inTransaction(db, async (tx) => {
    await lockFeed(tx, workspaceId, feedId);
    const { count } = await decideHold(tx, caller, feedId, holdId, "dismissed");
    await tx.heldDeleteItem.deleteMany({ where: { workspaceId, holdId } });
    await audit(tx, caller, "held_delete.dismiss", holdId, { feedId, kept: count });
  });
  publish(db, caller, { feed: [feedId] });
}

/** @returns how many documents were held, and by which run. */
async function decideHold(
  tx: Tx,
  caller: Caller,
  feedId: string,
  holdId: string,
  status: "approved" | "dismissed",
): Promise<{ count: number; runId: string }> {
  const { workspaceId, actor } = caller;
  const [hold] = await tx.heldDelete.updateManyAndReturn({
    where: { workspaceId, id: holdId, feedId, status: "held" },
    data: { status, decidedAt: new Date(), decidedBy: "id" in actor ? actor.id : actor.type },
  });
  if (!hold)
    throw new AppError(
      "not_found",
      "These held deletes were decided already, or a later listing replaced them.",
    );
  return hold;
}

async function countDeleted(tx: Tx, workspaceId: number, feedId: string, deleted: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE feeds SET document_count = document_count - ${deleted}::int
     WHERE workspace_id = ${workspaceId}::int AND id = ${feedId}`;
}
