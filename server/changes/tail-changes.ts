import type { Principal } from "@/server/access/principal";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { look, nextLook } from "./await-changes";
import { parsePage } from "./pull-changes";
import { beginWalk, pageBody } from "./read-changes";
import type { ChangeFilter, ChangePage } from "./schema";
import { waitersFor } from "./waiters";

/** Few enough to be drawn at once. */
const PAGE = 100;
/** How long a quiet tail sleeps before it says where it stands. */
const BOOKMARK_MS = 30_000;

/**
 * Pages as they come, for the dashboard. The first comes at once, and may be empty: it says that the tail
 * is live, and where it begins. An empty one later only moves the cursor.
 *
 * @throws AppError as readChanges; unauthenticated when access ended; unavailable when the server stops;
 *   rate_limited.
 */
export async function* tailChanges(
  db: Db,
  principal: Principal,
  { cursor = "now", lastEventId, ...filter }: ChangeFilter & { cursor?: string; lastEventId?: string | null },
  signal?: AbortSignal,
): AsyncGenerator<ChangePage> {
  const seat = waitersFor(db).take(principal);
  if (!seat) throw restarting();
  try {
    const walk = beginWalk(principal.caller, { ...filter, cursor: lastEventId || cursor, limit: PAGE });
    let current = await look(db, seat, walk);
    while (!signal?.aborted) {
      yield parsePage(pageBody(current.walk, current.page));
      const next = await nextLook(db, seat, current, { ms: BOOKMARK_MS, signal });
      if (next.end === "gone") return;
      if (next.end === "shutdown") throw restarting();
      if (next.end === "revoked") throw accessEnded();
      current = next.look;
    }
  } finally {
    seat.leave();
  }
}

function accessEnded(): AppError {
  return new AppError("unauthenticated", "You were signed out, or your role changed. Sign in again.");
}

function restarting(): AppError {
  return new AppError("unavailable", "The server is restarting.", { retryAfterSeconds: 1 });
}
