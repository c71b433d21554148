import { invalidOption } from "../errors.ts";
import { type Clock, REAL_CLOCK } from "../http/clock.ts";
import type { PushOptions, PushSummary } from "./options.ts";
import { Pusher } from "./pusher.ts";

/**
 * Pushes any number of documents into a feed, in their order, and moves its cursor when all have arrived.
 * They go in calls of at most 50 documents and 8 MiB, one after the other; only the last one carries
 * `cursor`, earlier ones at most the last {@link Checkpoint} before them, so that the feed's cursor never
 * stands for something that did not arrive.
 *
 * A failure of the network or the server is tried again for a minute or two. After a crash, push again
 * from the feed's cursor: what arrived already is recognised. With `documents` as a function this is what
 * happens by itself, and also when somebody else moved the cursor meanwhile.
 *
 * @returns the sum over all calls. Items that could not be stored are in it, with their index; the others
 *   were stored and the cursor moved all the same.
 * @throws TidemarkError for what trying again did not or cannot help (`unauthenticated`, `feed_not_found`,
 *   `cursor_invalid`, `run_fenced`, …); the signal's reason when it is aborted; what `documents` threw.
 *   What had been answered by then is stored.
 */
export async function pushDocuments(options: PushOptions): Promise<PushSummary> {
  return pushWith(options, REAL_CLOCK);
}

/** As {@link pushDocuments}, on any clock. */
export async function pushWith(options: PushOptions, clock: Clock): Promise<PushSummary> {
  const { feedId, documents } = options;
  if (typeof feedId !== "string" || feedId === "") throw invalidOption("`feedId` must be a feed's id.");
  const isIterable =
    typeof documents === "function" ||
    (typeof documents === "object" &&
      documents !== null &&
      (Symbol.iterator in documents || Symbol.asyncIterator in documents));
  if (!isIterable) {
    throw invalidOption("`documents` must be an array, another iterable, or a function that returns one.");
  }
  return new Pusher(options, clock).run();
}
