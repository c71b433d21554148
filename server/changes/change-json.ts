/** What stands between two changes of a page as the database wrote it (change_json() in the migrations). */
const BETWEEN = ",\n";

/** One change as it is sent, and its place. */
export type SplitChange = { seq: bigint; json: string };

/**
 * A page's changes one by one. The database wrote them, so the line feed in between stands in none of them,
 * and each begins with its seq.
 */
export function splitChanges(changes: string | null): SplitChange[] {
  if (changes === null) return [];
  return changes.split(BETWEEN).map((json) => {
    const seq = /^\{"seq":"(\d+)"/.exec(json)?.[1];
    if (seq === undefined) throw new Error("a change does not begin with its seq");
    return { seq: BigInt(seq), json };
  });
}
