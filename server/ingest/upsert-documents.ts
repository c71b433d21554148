import type { SqlTx } from "@/server/sql-transaction";
import type { PreparedDocument } from "./prepare-document";

/** `create` also revives; `confirm` turns a sweep's tombstone into an explicit one, unseen by clients. */
export type Verdict = "create" | "update" | "tombstone" | "confirm" | "skip" | "version_missing";

export type Outcome = { verdict: Verdict; wasLive: boolean };

/**
 * Applies a batch to the feed's documents in one statement (function `upsert_documents` in the
 * migrations) and says what became of each, in the order given. A replay costs one index look-up per
 * document, writes nothing and moves no seq.
 *
 * The feed's row must be locked by an earlier statement of the same transaction.
 */
export async function upsertDocuments(
  tx: SqlTx,
  feed: { workspaceId: number; feedId: string; sourceId: string; runId: string },
  documents: PreparedDocument[],
): Promise<Outcome[]> {
  if (documents.length === 0) return [];
  return tx.$queryRaw<Outcome[]>`/* prepared */
    SELECT outcome AS verdict, was_live AS "wasLive"
      FROM upsert_documents(${feed.workspaceId}::int, ${feed.feedId}, ${feed.sourceId}, ${feed.runId},
                            ${batchJson(documents)}::json)`;
}

/** A batch as `upsert_documents` reads it. */
export function batchJson(documents: PreparedDocument[]): string {
  const rows = documents.map((d, ord) => {
    // Canonical JSON already; parsed and printed again it would cost a second pass over the batch.
    const { metadata, ...fields } = {
      ord,
      id: d.id,
      xid: d.externalId,
      xkey: d.key,
      version: d.version?.text,
      vo: d.version?.order,
      hash: d.contentHash,
      deleted: d.deleted,
      title: d.title,
      text: d.text,
      format: d.format,
      url: d.url,
      author: d.author,
      date: d.date,
      revision: d.revision,
      metadata: d.metadata,
    };
    const json = JSON.stringify(fields);
    return metadata === null ? json : `${json.slice(0, -1)},"metadata":${metadata}}`;
  });
  return `[${rows.join(",")}]`;
}
