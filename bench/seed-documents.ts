import type pg from "pg";

/** How many feeds the seeded documents are spread over; the last has one document in so many. */
export const RARE_IN = 10_000;

type Place = { workspaceId: number; sourceId: string; feedId: string; rareFeedId: string };

/**
 * Adds documents with some 200 bytes of text straight to the table, one in RARE_IN of them to the rare feed.
 * Only what the change feed reads: no run, no cursor.
 */
export async function seedDocuments(
  client: pg.Client,
  place: Place,
  from: number,
  to: number,
): Promise<void> {
  const { workspaceId, sourceId, feedId, rareFeedId } = place;
  await client.query(
    `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, version, version_order,
                            title, text, url, date, metadata, seq)
     SELECT $1::int, 'doc_' || md5(n::text), CASE WHEN n % $6::int = 0 THEN $4::text ELSE $3::text END, $2::text,
            'seed-' || n, '1', 1, 'Document ' || n, repeat(md5(n::text), 6), 'https://bench.example/' || n, now(), '{}',
            nextval('document_seq')
       FROM generate_series($5::int + 1, $7::int) n`,
    [workspaceId, sourceId, feedId, rareFeedId, from, RARE_IN, to],
  );
  await client.query("VACUUM ANALYZE documents");
}
