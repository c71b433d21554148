import { AppError, type ErrorCode } from "@/server/errors";
import { log } from "@/server/log";
import { asUnavailable } from "@/server/transaction";

/** What became of one thing in an act on many. */
export type BulkItem =
  | {
      id: string;
      ok: true;
      /** False when there was nothing to do: undoing the act must leave such a thing alone. */
      changed: boolean;
      /** The state it left, for undoing; null where that means nothing. */
      before: string | null;
      /** The run that was started or joined. */
      runId: string | null;
    }
  | { id: string; ok: false; code: ErrorCode | "internal_error"; message: string };

export type BulkResult = { results: BulkItem[]; succeeded: number; changed: number; failed: number };

/**
 * Does one thing after the other, each guarded and audited like the single act. One that fails does not
 * stop the others; a database that is away does, because then all would.
 */
export async function forEach(
  ids: readonly string[],
  act: (id: string) => Promise<{ changed: boolean; before?: string | null; runId?: string | null }>,
): Promise<BulkResult> {
  const results: BulkItem[] = [];
  for (const id of new Set(ids)) results.push(await attempt(id, act));
  return {
    results,
    succeeded: results.filter((item) => item.ok).length,
    changed: results.filter((item) => item.ok && item.changed).length,
    failed: results.filter((item) => !item.ok).length,
  };
}

async function attempt(id: string, act: Parameters<typeof forEach>[1]): Promise<BulkItem> {
  try {
    const { changed, before = null, runId = null } = await act(id);
    return { id, ok: true, changed, before, runId };
  } catch (error) {
    if (error instanceof AppError && error.code !== "unavailable") {
      return { id, ok: false, code: error.code, message: error.message };
    }
    const unavailable = error instanceof AppError ? error : asUnavailable(error);
    if (unavailable) throw unavailable;
    log.error({ err: error, id }, "bulk item failed");
    return { id, ok: false, code: "internal_error", message: "Something went wrong with this one." };
  }
}
