import type { Db } from "@/server/db";
import { log } from "@/server/log";

/** The trigger `documents_hold_safe_point` notifies here too, with an empty payload. */
export const WRITES_CHANNEL = "tidemark_changes";

/** The first commit is told at once; those within this time after it travel together. */
const SPACING_MS = 20;
/** PostgreSQL refuses payloads of 8,000 bytes. */
const MAX_PAYLOAD = 7_500;

/** Workspaces whose change feeds have something new; null for all of them. */
export type RungFor = number[] | null;

export type WriteBell = {
  /** Tells the other processes that a transaction which wrote documents has committed. */
  ring(workspaceId: number): void;
  /** @returns null-able list, or undefined for our own message: this process was told directly. */
  read(payload: string): RungFor | undefined;
  flush(): Promise<void>;
};

/**
 * Wakes the readers of other processes after a commit. Not in the writing transaction: a notifying commit
 * holds a lock of the whole cluster while it is written to disk, and so would undo group commit. What a
 * killed process did not tell any more is found by the readers' own slow look (server/changes/waiters.ts).
 */
export function createWriteBell(db: Db, origin: string): WriteBell {
  let waiting = new Set<number>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;
  let sentAt = -SPACING_MS;

  function schedule(): void {
    if (timer || sending) return;
    const restMs = Math.max(0, sentAt + SPACING_MS - performance.now());
    timer = setTimeout(() => void flush(), restMs).unref();
  }

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    await sending;
    if (waiting.size === 0) return;
    const batch = waiting;
    waiting = new Set();
    sentAt = performance.now();
    sending = send(batch).finally(() => {
      sending = null;
      if (waiting.size > 0) schedule();
    });
    await sending;
  }

  async function send(batch: Set<number>): Promise<void> {
    const named = `${origin} ${[...batch].join(" ")}`;
    try {
      // Raw because Prisma has no NOTIFY.
      await db.$queryRaw`SELECT pg_notify(${WRITES_CHANNEL}, ${named.length > MAX_PAYLOAD ? "" : named})::text`;
    } catch (error) {
      log.debug({ err: error }, "readers elsewhere could not be woken");
    }
  }

  return {
    ring(workspaceId) {
      waiting.add(workspaceId);
      schedule();
    },
    read(payload) {
      const [from, ...ids] = payload.split(" ");
      if (from === origin) return undefined;
      const workspaces = ids.map(Number);
      return workspaces.length > 0 && workspaces.every(Number.isSafeInteger) ? workspaces : null;
    },
    flush,
  };
}
