import type { Principal } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { noteIfExpired } from "@/server/metrics/note-pull";
import { awaitChanges } from "./await-changes";
import { noteConsumer } from "./note-consumer";
import { beginWalk, pageBody, readOn } from "./read-changes";
import { type ChangeFilter, type ChangePage, DEFAULT_CHANGES } from "./schema";

export type PullInput = ChangeFilter & {
  cursor?: string;
  limit?: number;
  text?: boolean;
  /** Seconds to wait when there is nothing to send. */
  wait?: number;
  /** The name under which the presented position is kept. */
  consumer?: string;
};

/**
 * A page of the change feed after the caller's cursor.
 *
 * @returns the answer's body, already JSON: nothing in it needs looking at again.
 * @throws AppError as awaitChanges, and cursor_invalid, cursor_filter_mismatch, cursor_expired.
 */
export async function pullChanges(
  db: Db,
  principal: Principal,
  caller: Caller,
  input: PullInput,
  signal: () => AbortSignal | undefined = () => undefined,
): Promise<Buffer> {
  try {
    return await pull(db, principal, caller, input, signal);
  } catch (error) {
    noteIfExpired(error);
    throw error;
  }
}

async function pull(
  db: Db,
  principal: Principal,
  caller: Caller,
  { wait = 0, consumer, limit = DEFAULT_CHANGES, ...rest }: PullInput,
  signal: () => AbortSignal | undefined,
): Promise<Buffer> {
  const walk = beginWalk(caller, { ...rest, limit });
  const answer = await awaitChanges(db, principal, walk, {
    waitMs: wait * 1000,
    // Asked for only by those who wait: making it costs a whole Request.
    signal: wait > 0 ? signal() : undefined,
  });
  if (consumer !== undefined) {
    const { page } = answer;
    await noteConsumer(db, caller, { name: consumer, place: walk.place, filter: walk.filter, page });
  }
  readOn(db, answer.walk, answer.page);
  return pageBody(answer.walk, answer.page);
}

/** The same as an object, for callers in this process. */
export function parsePage(body: Buffer): ChangePage {
  return JSON.parse(body.toString()) as ChangePage;
}
