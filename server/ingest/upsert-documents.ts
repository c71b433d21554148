import { SqlArray } from "@/server/sql-array";
import type { SqlTx } from "@/server/sql-transaction";
import type { PreparedDocument } from "./prepare-document";

/** `create` also revives; `confirm` turns a sweep's tombstone into an explicit one, unseen by clients. */
export type Verdict = "create" | "update" | "tombstone" | "confirm" | "skip" | "version_missing";

export type Outcome = { verdict: Verdict; wasLive: boolean };

/**
 * Applies a batch to the feed's documents (function `upsert_documents` in the migrations) and says what
 * became of each, in the order given. A replay costs one index look-up per document, writes nothing and
 * moves no seq.
 *
 * The feed's row must be locked by an earlier statement of the same transaction.
 */
export async function upsertDocuments(
  tx: SqlTx,
  feed: { workspaceId: number; feedId: string; sourceId: string; runId: string },
  documents: PreparedDocument[],
): Promise<Outcome[]> {
  if (documents.length === 0) return [];
  const c = toColumns(documents);
  return tx.$queryRaw<Outcome[]>`/* prepared */
    SELECT outcome AS verdict, was_live AS "wasLive"
      FROM upsert_documents(
        ${feed.workspaceId}::int, ${feed.feedId}, ${feed.sourceId}, ${feed.runId},
        ${c.ids}::text[], ${c.externalIds}::text[], ${c.keys}::text[], ${c.versions}::text[], ${c.orders}::text[],
        ${c.hashes}::bytea[], ${c.deletes}::text[], ${c.titles}::text[], ${c.texts}::text[], ${c.formats}::text[],
        ${c.urls}::text[], ${c.authors}::text[], ${c.dates}::text[], ${c.metadatas}::text[], ${c.revisions}::text[])`;
}

/** A batch column by column, named and ordered as the parameters of `upsert_documents` and `ingest_push`. */
export function toColumns(documents: PreparedDocument[]) {
  const texts = (read: (document: PreparedDocument) => string | null | undefined) =>
    new SqlArray(
      "text",
      documents.map((document) => read(document) ?? null),
    );
  return {
    ids: texts((d) => d.id),
    externalIds: texts((d) => d.externalId),
    keys: texts((d) => d.key),
    versions: texts((d) => d.version?.text),
    orders: texts((d) => d.version?.order),
    hashes: new SqlArray(
      "bytea",
      documents.map((d) => d.contentHash),
    ),
    deletes: texts((d) => (d.deleted ? "t" : null)),
    titles: texts((d) => d.title),
    texts: texts((d) => d.text),
    formats: texts((d) => d.format),
    urls: texts((d) => d.url),
    authors: texts((d) => d.author),
    dates: texts((d) => d.date),
    metadatas: texts((d) => d.metadata),
    revisions: texts((d) => d.revision),
  };
}
