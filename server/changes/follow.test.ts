import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { type Principal, SCOPES } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { createRandom } from "@/test/kills/random";
import { parsePage, pullChanges } from "./pull-changes";
import type { ChangePage } from "./schema";

/**
 * Broken once each, and what failed then: without the trigger's lock, with the rows read before the bound,
 * and with `last_value` as the place after a page, "every follower's mirror equals the table" did.
 */

const WRITERS = 12;
const TRANSACTIONS = 40;
/** More than a deadline: a follower that has not caught up by then has missed something. */
const KEYS = 60;

const t = useDatabase();
let caller: Caller;
let feeds: { id: string; sourceId: string }[];

beforeAll(async () => {
  caller = await createCaller(t.db);
  feeds = [await createFeed(t.db, caller), await createFeed(t.db, caller)];
});

async function pull(input: {
  cursor?: string;
  limit: number;
  feedId?: string;
  sourceId?: string;
}): Promise<ChangePage> {
  const principal: Principal = { caller, scopes: new Set(SCOPES), role: null, userId: null, tokenId: null };
  return parsePage(await pullChanges(t.db, principal, caller, input));
}

async function write(seed: number): Promise<void> {
  const { int } = createRandom(seed + 1);
  const random = () => int(0, 999) / 1000;
  const client = new pg.Client({ connectionString: t.url });
  await client.connect();
  // Each writer has keys of its own, as each feed has one writer at a time: rivals for a row would wait.
  const own = Array.from({ length: KEYS / WRITERS }, (_, i) => `${seed}-${i}`);
  const change = () => {
    const key = own[Math.floor(random() * own.length)] as string;
    const isDelete = random() < 0.3;
    const feed = feeds[seed % feeds.length];
    return client.query(
      `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, title, state, delete_kind, seq)
       VALUES ($1, $2, $3, $4, $2, $5, $6::"DocumentState", $7::"DeleteKind", nextval('document_seq'))
       ON CONFLICT (workspace_id, id) DO UPDATE
          SET title = excluded.title, state = excluded.state, delete_kind = excluded.delete_kind, seq = excluded.seq`,
      [
        caller.workspaceId,
        key,
        feed?.id,
        feed?.sourceId,
        isDelete ? null : String(random()),
        isDelete ? "tombstone" : "live",
        isDelete ? "explicit" : null,
      ],
    );
  };
  for (let round = 0; round < TRANSACTIONS; round += 1) {
    await client.query("BEGIN");
    for (let i = 0; i <= random() * 4; i += 1) {
      await client.query("SAVEPOINT s");
      await change();
      if (random() < 0.3) await client.query("ROLLBACK TO s");
      if (random() < 0.3) await delay(random() * 8);
    }
    await client.query(random() < 0.2 ? "ROLLBACK" : "COMMIT");
    if (random() < 0.2) await delay(random() * 5);
  }
  await client.end();
}

type Mirror = Map<string, string | null>;

describe("twelve writers with delays, savepoints and rollbacks", () => {
  it("every follower's mirror equals the table, and no seq comes twice in a walk", async () => {
    let areWriting = true;
    const follow = async (limit: number, filter: { feedId?: string; sourceId?: string }, late = 0) => {
      await delay(late);
      const mirror: Mirror = new Map();
      let last = 0n;
      let cursor: string | undefined;
      for (;;) {
        const wasWriting = areWriting;
        const page = await pull({ cursor, limit, ...filter });
        for (const { seq, documentId, op, document } of page.changes) {
          expect(BigInt(seq), "out of order, or twice").toBeGreaterThan(last);
          last = BigInt(seq);
          if (op === "delete") mirror.delete(documentId);
          else mirror.set(documentId, document?.title ?? null);
        }
        cursor = page.cursor;
        if (!wasWriting && !page.hasMore) return mirror;
      }
    };
    const [a, b] = feeds;
    const followers = [
      { limit: 1, filter: {} },
      { limit: 7, filter: {} },
      { limit: 1000, filter: {} },
      { limit: 3, filter: { feedId: a?.id } },
      { limit: 100, filter: { sourceId: b?.sourceId } },
      { limit: 2, filter: {}, late: 150 },
    ];
    const mirrors = followers.map(({ limit, filter, late }) => follow(limit, filter, late));
    await Promise.all(Array.from({ length: WRITERS }, (_, seed) => write(seed)));
    areWriting = false;

    for (const [index, mirror] of (await Promise.all(mirrors)).entries()) {
      const filter = followers[index]?.filter ?? {};
      const rows = await t.db.document.findMany({
        where: { workspaceId: caller.workspaceId, state: "live", ...filter },
        select: { id: true, title: true },
      });
      const table: Mirror = new Map(rows.map(({ id, title }) => [id, title]));
      expect([...mirror].sort(), `follower ${index}`).toEqual([...table].sort());
      expect(table.size).toBeGreaterThan(5);
    }
  });
});

describe("what does not hold the feed back", () => {
  it("a long report, a reader of the feed, an idle writer in another database", async () => {
    const other = new URL(t.url);
    other.pathname = "/postgres";
    const [report, stranger, writer] = [t.url, other.href, t.url].map(
      (url) => new pg.Client({ connectionString: url }),
    );
    await Promise.all([report, stranger, writer].map((client) => client?.connect()));
    await report?.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await report?.query("SELECT count(*) FROM documents");
    await stranger?.query("BEGIN");
    await stranger?.query("CREATE TEMPORARY TABLE t (i int)");
    // The very lock that a writer of ours takes, but in another database.
    await stranger?.query("SELECT pg_advisory_xact_lock_shared((21587::bigint << 48) | 1)");
    const { cursor } = await pull({ cursor: "now", limit: 1 });
    await writer?.query(
      `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, seq)
       VALUES ($1, 'free', $2, $3, 'free', nextval('document_seq'))`,
      [caller.workspaceId, feeds[0]?.id, feeds[0]?.sourceId],
    );
    const { changes } = await pull({ cursor, limit: 10 });
    expect(changes.map((change) => change.externalId)).toEqual(["free"]);
    await Promise.all([report, stranger, writer].map((client) => client?.end()));
  });
});
