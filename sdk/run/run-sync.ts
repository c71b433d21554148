import type { z } from "zod";
import { invalidOption } from "../errors.ts";
import { type Clock, REAL_CLOCK } from "../http/clock.ts";
import type { RunSyncOptions, SyncSummary } from "./options.ts";
import { Syncer } from "./syncer.ts";

/**
 * Brings one feed up to date with an adapter, from your own program: starts a run, hands `sync` the feed's
 * cursor, pushes each page with its cursor before it asks for the next one, keeps the run's lease, and
 * records how it ended. Kill it whenever you like: the next call goes on from the last page that arrived.
 *
 * When another program moved the cursor ahead meanwhile, `sync` is asked again from there. When the
 * upstream forgot the position (`CursorExpired`), the run restarts from nothing, once.
 *
 * @returns what the run did; `partial` when a rate limit or the time budget ended it early.
 * @throws What the adapter threw, after the run was recorded as failed. TidemarkError for what Tidemark
 *   refuses: `run_active` while another run of the feed is alive (one that died counts as alive until its
 *   lease ends, a minute by default), `run_fenced` when this one was given up, `invalid_option`, … The
 *   signal's reason when it is aborted, after the run was recorded as `partial`.
 */
export async function runSync<Schema extends z.ZodType>(
  options: RunSyncOptions<Schema>,
): Promise<SyncSummary> {
  return runSyncWith(options, REAL_CLOCK);
}

/** As {@link runSync}, on any clock. */
export async function runSyncWith<Schema extends z.ZodType>(
  options: RunSyncOptions<Schema>,
  clock: Clock,
): Promise<SyncSummary> {
  const { adapter, feed, client, budgetMs } = options;
  if (typeof adapter?.sync !== "function") throw invalidOption("`adapter` must be made by `defineAdapter`.");
  const feedId = typeof feed === "string" ? feed : feed?.id;
  if (typeof feedId !== "string" || feedId === "") {
    throw invalidOption("`feed` must be a feed's id, or `{ id, url }`.");
  }
  if (!client) throw invalidOption("`client` must say where the server is: `{ url, token }`.");
  if (budgetMs !== undefined && !(budgetMs > 0)) throw invalidOption("`budgetMs` must be greater than 0.");
  const url = typeof feed === "string" ? undefined : feed.url;
  // The schema's type matters to the caller alone; inside, a config is what the schema made of it.
  return new Syncer(options as unknown as RunSyncOptions, { id: feedId, url }, clock).run();
}
