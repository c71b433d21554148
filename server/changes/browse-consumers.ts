import type { Actor, Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { readRunNames } from "@/server/runs/read-run-names";
import { keyset, type PlacedRow, type SortColumn, type TablePage } from "@/server/tables/keyset";
import { type CONSUMER_SORTS, MAX_COUNTED_BEHIND } from "./choices";
import { beginWalk, readChanges } from "./read-changes";
import type { FeedHead } from "./read-page";
import type { BrowseConsumersInput, ConsumerItem } from "./schema";

type Sort = (typeof CONSUMER_SORTS)[number];

type Row = PlacedRow & {
  name: string;
  position: bigint;
  isExpired: boolean;
  isOtherEpoch: boolean;
  isFirstWalk: boolean;
  sourceId: string | null;
  feedId: string | null;
  actor: Actor;
  seenAt: Date;
  createdAt: Date;
  distance: bigint;
  behind: number;
  behindSince: Date | null;
  expiresAt: Date | null;
};

/**
 * Everyone who follows the feed under a name, the one seen last first unless asked otherwise. A constant
 * number of queries; what it costs to say how far one is behind has a bound (MAX_COUNTED_BEHIND).
 *
 * @throws AppError invalid_request for another list's cursor.
 */
export async function browseConsumers(
  db: Db,
  caller: Caller,
  { sort = "seen", ...input }: BrowseConsumersInput = {},
): Promise<TablePage<ConsumerItem>> {
  const { workspaceId } = caller;
  const { head } = await readChanges(db, beginWalk(caller, { cursor: "now", limit: 1 }));
  const page = keyset(
    { name: "consumers", filters: {} },
    { name: sort, column: columnOf(sort, head), defaultDir: sort === "name" ? "asc" : "desc" },
    input,
    // The name is free text; what makes an order total has the form of an id.
    Prisma.sql`md5(c.name)`,
  );
  const consumers = Prisma.sql`
    SELECT md5(c.name) AS id, c.*, ${page.value} AS "sortValue", ${isExpired(head)} AS "isExpired",
           greatest(c.position, coalesce(c.snapshot_bound, 0)) AS furthest,
           row_number() OVER (ORDER BY ${page.orderBy}) AS place
      FROM consumers c
     WHERE c.workspace_id = ${workspaceId}::int AND ${page.where}
     ORDER BY ${page.orderBy}
     LIMIT ${page.take}::int`;
  const rows = await db.$queryRaw<Row[]>`
    WITH c AS MATERIALIZED (${consumers})
    SELECT c.id, c.name, c.position, c."sortValue", c."isExpired", c.epoch <> ${head.epoch} AS "isOtherEpoch",
           c.position = 0 OR c.snapshot_bound IS NOT NULL AS "isFirstWalk",
           c.source_id AS "sourceId", c.feed_id AS "feedId", c.actor, c.seen_at AS "seenAt",
           c.created_at AS "createdAt", c.furthest - ${head.horizon}::bigint AS distance,
           lacking.behind, lacking.since AS "behindSince",
           loss.changed_at + make_interval(days => w.retention_days) AS "expiresAt"
      FROM c
      JOIN workspaces w ON w.id = c.workspace_id
     CROSS JOIN LATERAL (${lacking(workspaceId, head)}) lacking
      LEFT JOIN LATERAL (${nextLoss(workspaceId)}) loss ON true
     ORDER BY c.place`;
  const { items, ...cursors } = page.toPage(rows, (row) => row);
  return { items: await toItems(db, workspaceId, items, head), ...cursors };
}

/** Below the horizon, or of another epoch: it has to start again. A first walk counts from where it began. */
function isExpired({ epoch, horizon }: FeedHead): Prisma.Sql {
  return Prisma.sql`(c.epoch <> ${epoch} OR (
    c.position > 0 AND greatest(c.position, coalesce(c.snapshot_bound, 0)) < ${horizon}::bigint))`;
}

function columnOf(sort: Sort, head: FeedHead): SortColumn {
  if (sort === "name") return { sql: Prisma.sql`c.name`, kind: "text", unique: true };
  if (sort === "seen") return { sql: Prisma.sql`c.seen_at`, kind: "instant" };
  // The lower the position the further behind; who has to start again is further behind than anybody.
  return { sql: Prisma.sql`CASE WHEN ${isExpired(head)} THEN 1 ELSE -c.position END`, kind: "integer" };
}

/**
 * What `c` has yet to be sent: counted in the index of its filter, no further than the page can say.
 * One branch per kind of filter, because only then each has an index to read in order.
 */
function lacking(workspaceId: number, { position }: FeedHead): Prisma.Sql {
  const branch = (condition: Prisma.Sql) => Prisma.sql`
    (SELECT d.seq, d.changed_at FROM documents d
      WHERE NOT c."isExpired" AND ${condition} AND d.workspace_id = ${workspaceId}::int
        AND d.seq > c.position AND d.seq <= ${position}::bigint
      ORDER BY d.seq LIMIT ${MAX_COUNTED_BEHIND}::int)`;
  return Prisma.sql`
    SELECT count(*)::int AS behind, (array_agg(l.changed_at ORDER BY l.seq))[1] AS since
      FROM (${branch(Prisma.sql`c.feed_id IS NULL AND c.source_id IS NULL`)}
            UNION ALL
            ${branch(Prisma.sql`d.feed_id = c.feed_id AND (c.source_id IS NULL OR d.source_id = c.source_id)`)}
            UNION ALL
            ${branch(Prisma.sql`c.feed_id IS NULL AND d.source_id = c.source_id`)}) l`;
}

/**
 * The first delete that `c` has not been sent, whatever its filter: purging it moves the horizon past `c`.
 * Who has seen nothing yet has nothing to lose.
 */
function nextLoss(workspaceId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT d.changed_at FROM documents d
     WHERE NOT c."isExpired" AND c.position > 0 AND d.workspace_id = ${workspaceId}::int
       AND d.state = 'tombstone' AND d.seq > c.furthest
     ORDER BY d.seq LIMIT 1`;
}

async function toItems(
  db: Db,
  workspaceId: number,
  rows: Row[],
  { position }: FeedHead,
): Promise<ConsumerItem[]> {
  const refs = rows.map((row) => ({ feedId: row.feedId ?? "", sourceId: row.sourceId ?? "" }));
  const namesOf = await readRunNames(db, workspaceId, refs);
  return rows.map((row, index) => ({
    name: row.name,
    position: String(row.position),
    lag: row.isExpired ? null : text(position - row.position),
    behind: row.isExpired ? null : row.behind,
    behindSince: row.behindSince?.toISOString() ?? null,
    distanceToHorizon: row.isExpired ? null : text(row.distance),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    expiredBy: row.isOtherEpoch ? "epoch" : row.isExpired ? "horizon" : null,
    isFirstWalk: row.isFirstWalk,
    sourceId: row.sourceId,
    feedId: row.feedId,
    ...namesOf(refs[index] as (typeof refs)[number]),
    by: { type: row.actor.type, name: "name" in row.actor ? row.actor.name : null },
    seenAt: row.seenAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }));
}

function text(difference: bigint): string {
  return String(difference > 0n ? difference : 0n);
}
