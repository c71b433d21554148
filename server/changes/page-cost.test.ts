import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";

/** What a page reads must not grow with the workspace. Counted in rows, not in milliseconds. */
const DOCUMENTS = 20_000;
const LIMIT = 100;

const t = useDatabase();
let client: pg.Client;
let workspaceId: number;
let large: { id: string; sourceId: string };
let rare: { id: string; sourceId: string };
/** Of a look whose plan was made for five documents. */
let lookCost: Cost;

beforeAll(async () => {
  const caller = await createCaller(t.db);
  workspaceId = caller.workspaceId;
  large = await createFeed(t.db, caller);
  rare = await createFeed(t.db, caller);
  client = new pg.Client({ connectionString: t.url });
  await client.connect();
  // Plans made when a scan of the table was the cheapest, kept, and used when it no longer is.
  await fill(1, 5);
  await client.query("ANALYZE documents");
  for (let i = 0; i < 12; i += 1) {
    await pull({ after: 0 });
    await pull({ after: 0, feed: rare.id });
    await pull({ after: 0, source: rare.sourceId });
    await look();
  }
  await fill(6, DOCUMENTS);
  lookCost = await costOf(look);
  // Statistics older than the rows: plans are made anew, for a table that is large and, it seems, one feed's alone.
  await client.query("VACUUM documents");
});
afterAll(() => client.end());

function fill(from: number, to: number) {
  return client.query(
    `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, seq)
     SELECT $1, 'doc_' || i, CASE WHEN i % 10000 = 0 THEN $4 ELSE $2 END, CASE WHEN i % 10000 = 0 THEN $5 ELSE $3 END,
            'x' || i, nextval('document_seq')
       FROM generate_series($6::int, $7::int) i`,
    [workspaceId, large.id, large.sourceId, rare.id, rare.sourceId, from, to],
  );
}

async function pull({
  after,
  source = null,
  feed = null,
}: {
  after: number;
  source?: string | null;
  feed?: string | null;
}) {
  const { rows } = await client.query({
    name: "pull",
    text: "SELECT seq FROM read_changes(NULL, $1, $2, NULL, false, $3, $4, $5, 8000000, false)",
    values: [workspaceId, after, source, feed, LIMIT],
  });
  return rows.length - 1; // the first tells of the feed as a whole
}

/** As for every page that was read ahead (read-ahead.ts). */
const look = () =>
  client.query({ name: "look", text: "SELECT head FROM change_feed_standing($1)", values: [workspaceId] });

/** Scans of `documents`, and rows of it that were read. */
type Cost = { scans: number; read: number };

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  await client.query("BEGIN");
  const before = await readCounts();
  await work();
  const after = await readCounts();
  await client.query("COMMIT");
  return { scans: after.scans - before.scans, read: after.read - before.read };
}

async function readCounts(): Promise<Cost> {
  const { rows } = await client.query<Cost>(
    `SELECT seq_scan::int AS scans, (seq_tup_read + idx_tup_fetch)::int AS read
       FROM pg_stat_xact_user_tables WHERE relname = 'documents'`,
  );
  return rows[0] ?? { scans: 0, read: 0 };
}

it.each([
  ["at the beginning", () => ({ after: 0 }), LIMIT],
  ["in the middle", () => ({ after: DOCUMENTS / 2 }), LIMIT],
  ["of a feed with one document in ten thousand", () => ({ after: 0, feed: rare.id }), DOCUMENTS / 10_000],
  ["of a source with one in ten thousand", () => ({ after: 0, source: rare.sourceId }), DOCUMENTS / 10_000],
])(
  "a page %s reads its own rows twice, to measure and to write them, and a handful more",
  async (_, input, changes) => {
    let pulled = 0;
    const cost = await costOf(async () => {
      pulled = await pull(input());
    });
    expect({ pulled, scans: cost.scans }).toEqual({ pulled: changes, scans: 0 });
    expect(cost.read).toBeLessThan(2 * changes + 20);
  },
);

it("a look at where the feed stands reads a row at most, by a plan that was made for an empty table too", () => {
  expect(lookCost.scans).toBe(0);
  expect(lookCost.read).toBeLessThan(2);
});
