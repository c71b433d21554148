import type { Principal } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { noteIfExpired } from "@/server/metrics/note-pull";
import { firstLook, type Look, nextLook } from "./await-changes";
import { changeJson, seqOf } from "./change-json";
import { encodeCursor } from "./cursor";
import { noteConsumer } from "./note-consumer";
import type { PullInput } from "./pull-changes";
import { beginWalk, cursorAfter, positionAt, scopeOf, type Walk } from "./read-changes";
import { DEFAULT_CHANGES } from "./schema";
import { type Seat, waitersFor } from "./waiters";

/** Comments keep proxies from closing a quiet connection. */
const PING_MS = 15_000;

/**
 * The change feed as server-sent events, until the client leaves, the server stops or access ends.
 * Nothing is read ahead of the client: the next page is asked for when this one was taken.
 *
 * The first look is taken here, so that refusals can be answered as such. Expiry cannot: a browser's
 * EventSource does not see the body of a 410. It is an event, and the reconnect after it gets a 204.
 *
 * @throws AppError as readChanges except cursor_expired; rate_limited; unavailable when the server stops.
 */
export async function openChangeStream(
  db: Db,
  principal: Principal,
  caller: Caller,
  { consumer, limit = DEFAULT_CHANGES, ...input }: Omit<PullInput, "wait">,
): Promise<ReadableStream<Uint8Array>> {
  let begun: Walk | Expiry;
  try {
    begun = beginWalk(caller, { ...input, limit });
  } catch (error) {
    begun = asExpiry(error);
  }
  const seat = waitersFor(db).take(principal);
  if (!seat) throw new AppError("unavailable", "The server is restarting.", { retryAfterSeconds: 1 });
  const gone = new AbortController();
  try {
    const first = "expired" in begun ? begun : await firstLook(db, seat, begun).catch(asExpiry);
    if (consumer !== undefined && "page" in first) {
      const { walk, page } = first;
      await noteConsumer(db, caller, { name: consumer, place: walk.place, filter: walk.filter, page });
    }
    const blocks = toBlocks(db, seat, first, gone.signal);
    return toStream(blocks, () => {
      gone.abort();
      seat.leave();
    });
  } catch (error) {
    seat.leave();
    throw error;
  }
}

type Expiry = { expired: AppError };

function asExpiry(error: unknown): Expiry {
  noteIfExpired(error);
  if (error instanceof AppError && error.code === "cursor_expired") return { expired: error };
  throw error;
}

/** The stream's text, a piece at a time. Ends when there is no more to come. */
async function* toBlocks(
  db: Db,
  seat: Seat,
  first: Look | Expiry,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let told = "";
  for (let current = first; ; ) {
    if ("expired" in current) return yield expiredBlock(current.expired);
    const cursor = cursorAfter(current.walk, current.page);
    // A bare id is a bookmark: the client's place moves on though nothing was for it.
    if (current.page.rows.length > 0) yield eventBlocks(current, cursor);
    else yield cursor === told ? ": ping\n\n" : `id: ${cursor}\n\n`;
    told = cursor;
    try {
      const next = await nextLook(db, seat, current, { ms: PING_MS, signal });
      if (next.end !== null && next.end !== "time") return;
      current = next.look;
    } catch (error) {
      current = asExpiry(error);
    }
  }
}

/** An event per change; its id is the cursor after it, the last one's that of the whole page. */
function eventBlocks({ walk, page }: Look, cursor: string): string {
  const scope = scopeOf(walk, page);
  const blocks = page.rows.map((row, index) => {
    const isLast = index === page.rows.length - 1;
    const id = isLast ? cursor : encodeCursor(scope, positionAt(walk.place, page.head, seqOf(row)));
    return `event: change\nid: ${id}\ndata: ${changeJson(row, walk.text)}\n\n`;
  });
  return blocks.join("");
}

function expiredBlock({ message, info }: AppError): string {
  const data = JSON.stringify({ code: "cursor_expired", detail: message, ...info.extra });
  return `event: expired\nid: expired\ndata: ${data}\n\n`;
}

function toStream(blocks: AsyncGenerator<string>, end: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await blocks.next();
          if (!done) return controller.enqueue(encoder.encode(value));
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}
