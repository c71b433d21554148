import { spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Principal, SCOPES } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { createHub, type LiveHub, setHub } from "@/server/live/hub";
import { applyMigrations } from "@/server/migrations/apply-migrations";
import { createCaller, createFeed } from "@/test/factories";
import { startTestCluster, type TestCluster } from "@/test/postgres";
import { waitUntil } from "@/test/wait-until";
import { parsePage, pullChanges } from "./pull-changes";
import type { ChangePage } from "./schema";
import { waitersFor } from "./waiters";

let cluster: TestCluster;
let db: Db;
let hub: LiveHub;
let caller: Caller;
let feed: Awaited<ReturnType<typeof createFeed>>;

beforeAll(async () => {
  // What a crash loses is the point, so this one writes through to the disk; but nothing of its own accord,
  // which five times a second it would: what was rolled back must still be in memory when it is killed.
  cluster = await startTestCluster({ durable: true, settings: { wal_writer_delay: "10s" } });
  const admin = new pg.Client({ connectionString: cluster.url("postgres") });
  await admin.connect();
  await admin.query("CREATE DATABASE crashes");
  await admin.end();
  await applyMigrations(cluster.url("crashes"));
  open();
  caller = await createCaller(db);
  feed = await createFeed(db, caller);
}, 120_000);
afterAll(async () => {
  await hub?.close();
  await db?.$disconnect();
  await cluster?.stop();
});

function open(): void {
  db = createDb(cluster.url("crashes"), 8);
  hub = createHub(db, () => cluster.url("crashes"));
  setHub(db, hub);
}

async function pull(input: { cursor?: string; wait?: number } = {}): Promise<ChangePage> {
  const principal: Principal = { caller, scopes: new Set(SCOPES), role: null, userId: null, tokenId: null };
  return parsePage(await pullChanges(db, principal, caller, { limit: 1000, ...input }));
}

const push = (...ids: string[]) =>
  ingestDocuments(db, caller, { feedId: feed.id, documents: ids.map((id) => ({ id })) });
const idsOf = (page: ChangePage) => page.changes.map((change) => change.externalId);

const readLastValue = async () => {
  const [row] = await db.$queryRaw<{ last: bigint }[]>`SELECT last_value AS last FROM document_seq`;
  return row?.last ?? 0n;
};

const WRITER = `
  import pg from "pg";
  const [, url, workspaceId, feedId, sourceId] = process.argv;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("BEGIN");
  await client.query(
    "INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, seq) VALUES ($1, 'lost', $2, $3, 'lost', nextval('document_seq'))",
    [workspaceId, feedId, sourceId],
  );
  console.log("holding");
  setInterval(() => {}, 1000);
`;

it("a writer killed while it holds a reserved seq does not block the feed", async () => {
  const writer = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      WRITER,
      cluster.url("crashes"),
      String(caller.workspaceId),
      feed.id,
      feed.sourceId,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(writer.stdout, "data");
  const { cursor } = await pull({ cursor: "now" });
  await push("behind it");
  expect((await pull({ cursor })).changes).toEqual([]);

  const poll = pull({ cursor, wait: 30 });
  await waitUntil(() => waitersFor(db).count(caller.workspaceId) === 1, "the poll waits");
  const killedAt = performance.now();
  writer.kill("SIGKILL");
  expect(idsOf(await poll)).toEqual(["behind it"]);
  expect(performance.now() - killedAt).toBeLessThan(2_000);
});

it("a crash of Postgres that puts the sequence back neither hides changes nor expires anybody", async () => {
  await push("before");
  const client = new pg.Client({ connectionString: cluster.url("crashes") });
  await client.connect();
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, seq)
     SELECT $1, 'gone-' || i, $2, $3, 'gone-' || i, nextval('document_seq') FROM generate_series(1, 300) i`,
    [caller.workspaceId, feed.id, feed.sourceId],
  );
  await client.query("ROLLBACK");
  await client.end();

  const reached = await readLastValue();
  const followed = await pull();
  const now = await pull({ cursor: "now" });
  await hub.close();
  await db.$disconnect().catch(() => {});
  await cluster.kill();
  await cluster.start();
  open();

  // Without this the test would show nothing.
  expect(await readLastValue()).toBeLessThan(reached);
  const later = Array.from({ length: 40 }, (_, i) => `after-${i}`);
  await push(...later);
  for (const { cursor } of [followed, now]) expect(idsOf(await pull({ cursor }))).toEqual(later);
  expect((await pull()).changes.length).toBe(followed.changes.length + later.length);
});
