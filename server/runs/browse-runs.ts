import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { keyset, type PlacedRow, type SortColumn, type TablePage } from "@/server/tables/keyset";
import type { RUN_SORTS } from "./choices";
import { requireRunFilters } from "./list-runs";
import { readRunNames } from "./read-run-names";
import { type ApiRun, toRun } from "./run-shape";
import type { BrowseRunsInput, RunFilters } from "./schema";

/** Each has an index that begins with the workspace (migration `dashboard`): no order needs a sort. */
const SORTS: Record<(typeof RUN_SORTS)[number], SortColumn> = {
  started: { sql: Prisma.sql`coalesce(r.started_at, r.queued_at)`, kind: "instant" },
  length: { sql: Prisma.sql`coalesce(r.finished_at - r.started_at, '0'::interval)`, kind: "length" },
  changes: { sql: Prisma.sql`(r.created + r.updated + r.deleted)`, kind: "number" },
};

/**
 * The runs table: newest, longest or most eventful first unless turned round, in pages both ways. Four
 * queries however many there are.
 *
 * @throws AppError feed_not_found or not_found when a filter names what this workspace never had;
 *   invalid_request for another list's cursor.
 */
export async function browseRuns(
  db: Db,
  caller: Caller,
  { sort = "started", ...input }: BrowseRunsInput,
): Promise<TablePage<ApiRun>> {
  const { workspaceId } = caller;
  const { feedId, sourceId, status, executor, trigger, since, until } = input;
  const filters: RunFilters = { feedId, sourceId, status, executor, trigger, since, until };
  const page = keyset(
    { name: "runs", filters },
    { name: sort, column: SORTS[sort], defaultDir: "desc" },
    input,
    Prisma.sql`r.id`,
  );
  const places = await db.$queryRaw<PlacedRow[]>`
    SELECT r.id, ${page.value} AS "sortValue"
      FROM sync_runs r
     WHERE ${Prisma.join([...runConditions(workspaceId, filters), page.where], " AND ")}
     ORDER BY ${page.orderBy}
     LIMIT ${page.take}::int`;
  if (places.length === 0 && !input.after && !input.before) await requireRunFilters(db, caller, filters);
  const { items: ids, ...cursors } = page.toPage(places, (row) => row.id);
  return { items: await readRuns(db, workspaceId, ids), ...cursors };
}

function runConditions(workspaceId: number, filter: RunFilters): Prisma.Sql[] {
  const conditions = [Prisma.sql`r.workspace_id = ${workspaceId}::int`];
  if (filter.feedId !== undefined) conditions.push(Prisma.sql`r.feed_id = ${filter.feedId}`);
  if (filter.sourceId !== undefined) conditions.push(Prisma.sql`r.source_id = ${filter.sourceId}`);
  if (filter.status !== undefined) conditions.push(Prisma.sql`r.status = ${filter.status}::"RunStatus"`);
  if (filter.executor !== undefined) conditions.push(Prisma.sql`r.executor = ${filter.executor}::"Executor"`);
  if (filter.trigger !== undefined) conditions.push(Prisma.sql`r.trigger = ${filter.trigger}::"RunTrigger"`);
  if (filter.since !== undefined)
    conditions.push(
      Prisma.sql`coalesce(r.started_at, r.queued_at) >= ${filter.since.toISOString()}::text::timestamptz`,
    );
  if (filter.until !== undefined)
    conditions.push(
      Prisma.sql`coalesce(r.started_at, r.queued_at) < ${filter.until.toISOString()}::text::timestamptz`,
    );
  return conditions;
}

async function readRuns(db: Db, workspaceId: number, ids: string[]): Promise<ApiRun[]> {
  if (ids.length === 0) return [];
  const rows = await db.syncRun.findMany({ where: { workspaceId, id: { in: ids } } });
  const namesOf = await readRunNames(db, workspaceId, rows);
  const byId = new Map(rows.map((row) => [row.id, toRun(row, namesOf(row))]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
