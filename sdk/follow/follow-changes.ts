import { invalidOption } from "../errors.ts";
import { type Clock, REAL_CLOCK } from "../http/clock.ts";
import { Follower } from "./follower.ts";
import type { FollowOptions, FollowSummary } from "./options.ts";

const DEFAULT_WAIT_SECONDS = 25;
const DEFAULT_LIMIT = 500;
/** A text may have a megabyte. */
const DEFAULT_LIMIT_WITH_TEXT = 100;

/**
 * Follows a workspace's changes, and keeps a copy of it equal: batch after batch is handed to `apply`,
 * and the position stored with it. No change is ever skipped. One may come twice, after a crash between
 * `apply` and the storing of the position, unless both happen in one transaction; applying must be
 * idempotent then, as "write this document" and "remove this document" are.
 *
 * Failures of the network and the server are tried again for as long as it takes, see `onStatus`. A
 * position that expired starts a walk from the beginning by itself; at its end `step.sweep` asks to remove
 * what the walk did not bring.
 *
 * @returns when `signal` is aborted, or with `stopWhenCaughtUp` when there is no more.
 * @throws what `apply` or the store threw, unchanged: nothing was skipped, the same batch comes again with
 *   the next call. TidemarkError for what trying again cannot help: `unauthenticated`, `forbidden`,
 *   `cursor_invalid`, `cursor_filter_mismatch`, `invalid_request`, `unexpected_answer`, and the client's own.
 */
export async function followChanges(options: FollowOptions): Promise<FollowSummary> {
  return followWith(options, REAL_CLOCK);
}

/** As {@link followChanges}, on any clock. */
export async function followWith(options: FollowOptions, clock: Clock): Promise<FollowSummary> {
  const limit = options.limit ?? (options.text ? DEFAULT_LIMIT_WITH_TEXT : DEFAULT_LIMIT);
  const wait = options.wait ?? DEFAULT_WAIT_SECONDS;
  if (typeof options.apply !== "function") throw invalidOption("`apply` must be a function.");
  if (typeof options.store?.load !== "function") throw invalidOption("`store` must have a `load` method.");
  requireWhole("limit", limit, 1000);
  requireWhole("wait", wait, 55);
  return new Follower({ ...options, limit, wait }, clock).run();
}

function requireWhole(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw invalidOption(`\`${name}\` must be a whole number from 1 to ${max}.`);
}
