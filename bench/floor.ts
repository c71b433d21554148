import { createHash } from "node:crypto";
import pg from "pg";
import type { BenchDocument } from "./documents";

/**
 * The least that storing documents can cost here: bare `pg`, a prepared statement, one upsert per batch
 * into a table of the same shape, with the same indexes and checks. No feed lock, no cursor, no run, no
 * validation, no safe point.
 */
export async function createFloor(databaseUrl: string, connections: number) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      // Its loss at the end must not hide what went wrong before.
      client.on("error", () => {});
      await client.connect();
      return client;
    }),
  );
  await clients[0]?.query("CREATE TABLE floor_documents (LIKE documents INCLUDING ALL)");
  await clients[0]?.query("CREATE SEQUENCE floor_seq");

  return {
    async store(connection: number, feedId: string, documents: BenchDocument[]): Promise<void> {
      const rows = documents.map((document) => ({ ...document, key: keyOf(feedId, document.id) }));
      await clients[connection]?.query({
        name: "floor",
        text: `
          INSERT INTO floor_documents AS d
            (workspace_id, id, feed_id, source_id, external_id, version, version_order, state, title, text, url, date, seq)
          SELECT 1, r.key, $1, 'src', r.id, r.version, r.version::numeric, 'live', r.title, r.text, r.url, r.date,
                 nextval('floor_seq')
            FROM json_to_recordset($2::json)
              AS r(key text, id text, version text, title text, text text, url text, date timestamptz)
          ON CONFLICT (workspace_id, id) DO UPDATE
             SET version = excluded.version, version_order = excluded.version_order, title = excluded.title,
                 text = excluded.text, url = excluded.url, date = excluded.date, seq = excluded.seq, changed_at = now()
           WHERE excluded.version_order > d.version_order`,
        values: [feedId, JSON.stringify(rows)],
      });
    },
    async end(): Promise<void> {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

/** A key of the length and spread of the real one. */
function keyOf(feedId: string, id: string): string {
  return `doc_${createHash("sha256").update(feedId).update("\0").update(id).digest("hex").slice(0, 26)}`;
}
