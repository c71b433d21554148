import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { readBound, readSafePoint } from "./safe-point";

const t = useDatabase();

async function setUp() {
  const caller = await createCaller(t.db);
  const feed = await createFeed(t.db, caller);
  const write = (client: pg.Client) =>
    client.query<{ seq: string }>(
      `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, seq)
       VALUES ($1, $2, $3, $4, $5, nextval('document_seq')) RETURNING seq`,
      [caller.workspaceId, newId("doc"), feed.id, feed.sourceId, randomUUID()],
    );
  const readAfter = async (cursor: bigint) => {
    const { bound } = await readBound(t.db);
    return t.db.document.findMany({
      where: { workspaceId: caller.workspaceId, seq: { gt: cursor, lte: bound } },
      orderBy: { seq: "asc" },
      select: { seq: true },
    });
  };
  return { workspaceId: caller.workspaceId, write, readAfter };
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: t.url });
  await client.connect();
  return client;
}

describe("the safe point", () => {
  it("stays below the number of an open transaction, though a later one committed", async () => {
    const { workspaceId, write, readAfter } = await setUp();
    const [slow, fast] = [await connect(), await connect()];
    await slow.query("BEGIN");
    const first = BigInt((await write(slow)).rows[0]?.seq ?? 0);
    const second = BigInt((await write(fast)).rows[0]?.seq ?? 0);
    expect(second).toBeGreaterThan(first);

    await expect(readSafePoint(t.db, workspaceId)).resolves.toBe(0n);
    await expect(readAfter(0n)).resolves.toEqual([]);
    await slow.query("COMMIT");
    await expect(readAfter(0n)).resolves.toEqual([{ seq: first }, { seq: second }]);
    await expect(readSafePoint(t.db, workspaceId)).resolves.toBe(second);
    await Promise.all([slow.end(), fast.end()]);
  });

  it("is not held back for ever by a number that was rolled back, whole or to a savepoint", async () => {
    const { workspaceId, write } = await setUp();
    const client = await connect();
    await client.query("BEGIN");
    await write(client);
    await client.query("ROLLBACK");
    await client.query("BEGIN");
    await client.query("SAVEPOINT s");
    await write(client);
    await client.query("ROLLBACK TO s");
    const kept = BigInt((await write(client)).rows[0]?.seq ?? 0);
    await expect(readSafePoint(t.db, workspaceId)).resolves.toBe(0n);
    await client.query("COMMIT");
    await expect(readSafePoint(t.db, workspaceId)).resolves.toBe(kept);
    await client.end();
  });

  it("is not held back by readers, other locks or transactions that write something else", async () => {
    const { workspaceId, write } = await setUp();
    const [other, writer] = [await connect(), await connect()];
    await other.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await other.query("SELECT count(*) FROM documents");
    await other.query("SELECT pg_advisory_xact_lock(1), pg_advisory_xact_lock_shared(7, 9)");
    await other.query("UPDATE workspaces SET name = name WHERE id = $1", [workspaceId]);
    const seq = BigInt((await write(writer)).rows[0]?.seq ?? 0);
    await expect(readSafePoint(t.db, workspaceId)).resolves.toBe(seq);
    await other.query("ROLLBACK");
    await Promise.all([other.end(), writer.end()]);
  });

  it("lets a reader walk past twelve writers, with savepoints and rollbacks between them, without missing a change", async () => {
    const { write, readAfter } = await setUp();
    const committed: bigint[] = [];
    let areWriting = true;
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      const client = await connect();
      for (let round = 0; round < 25; round += 1) {
        const mine: bigint[] = [];
        await client.query("BEGIN");
        for (let i = 0; i <= (round + writer) % 4; i += 1) {
          await client.query("SAVEPOINT s");
          const seq = BigInt((await write(client)).rows[0]?.seq ?? 0);
          if ((round + i) % 3 === 0) await client.query("ROLLBACK TO s");
          else mine.push(seq);
        }
        const isKept = (round + writer) % 5 !== 0;
        await client.query(isKept ? "COMMIT" : "ROLLBACK");
        if (isKept) committed.push(...mine);
      }
      await client.end();
    });
    const seen: bigint[] = [];
    const reader = (async () => {
      while (true) {
        const wasWriting = areWriting;
        const page = await readAfter(seen.at(-1) ?? 0n);
        seen.push(...page.map((row) => row.seq as bigint));
        if (!wasWriting) return;
      }
    })();
    await Promise.all(writers);
    areWriting = false;
    await reader;
    expect(seen).toEqual(committed.sort((a, b) => (a < b ? -1 : 1)));
    expect(seen.length).toBeGreaterThan(200);
  });
});
