import { TidemarkError } from "../errors.ts";
import { orAbort } from "../http/abort.ts";
import { requireRetryable, retryDelayMs } from "../http/backoff.ts";
import type { Clock } from "../http/clock.ts";
import { type Connection, connect } from "../http/connection.ts";
import type { ChangesPage } from "../wire.ts";
import type { FollowOptions, FollowStatus, FollowSummary, Step } from "./options.ts";
import { beginWalk, type Position, readPosition, writePosition } from "./position.ts";
import { isExpired, pullPage } from "./pull-page.ts";

/** A waiting request that brings nothing sooner than this was not held: the server is stopping, say. */
const SHORTEST_WAIT_MS = 1000;

type Options = FollowOptions & { limit: number; wait: number };

/** The client loop. Its state is what was committed last; every turn either moves it or waits. */
export class Follower {
  readonly #options: Options;
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #summary: FollowSummary = { changes: 0, restarts: 0 };
  #position: Position = beginWalk();
  /** Not known before the first answer; assuming it keeps the first request from waiting. */
  #hasMore = true;
  /** Requests that failed in a row. */
  #failures = 0;
  /** Walks begun since one was completed. */
  #unfinishedWalks = 0;
  #isPositionSeenStored = false;

  constructor(options: Options, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#connection = connect(options);
  }

  async run(): Promise<FollowSummary> {
    const { signal, store, stopWhenCaughtUp } = this.#options;
    try {
      signal?.throwIfAborted();
      const stored = await orAbort(Promise.resolve(store.load()), signal);
      if (stored !== null && stored !== undefined) this.#position = readPosition(stored);
      while (!signal?.aborted) {
        await this.#takeTurn();
        if (stopWhenCaughtUp && !this.#hasMore) break;
      }
    } catch (error) {
      // Whoever aborts wants it to end; what was under way then comes again.
      if (!signal?.aborted || error !== signal.reason) throw error;
    }
    return this.#summary;
  }

  /** One request, and what follows from its answer. */
  async #takeTurn(): Promise<void> {
    const waitSeconds = this.#hasMore ? 0 : this.#options.wait;
    if (waitSeconds > 0) this.#report({ type: "waiting" });
    const askedAt = this.#clock.now();
    let page: ChangesPage;
    try {
      page = await pullPage(this.#connection, this.#options, this.#position.cursor, waitSeconds);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return isExpired(error) ? this.#restart(error) : this.#retry(error);
    }
    this.#failures = 0;
    await this.#commit(page);
    const answeredAtOnce = this.#clock.now() - askedAt < SHORTEST_WAIT_MS;
    if (waitSeconds > 0 && page.changes.length === 0 && answeredAtOnce) {
      await this.#pause(SHORTEST_WAIT_MS * (0.5 + this.#clock.random()));
    }
  }

  /**
   * Hands a page over and sees to it that its position is stored: after the changes, never before. The
   * follower itself moves on only then.
   */
  async #commit(page: ChangesPage): Promise<void> {
    const { cursor, generation, walking } = this.#position;
    const next = { cursor: page.cursor, generation, walking: walking && page.hasMore };
    const sweep = walking && !page.hasMore;
    // An empty page may bring a newer cursor too. It is stored: a follower whose filter matches little
    // would fall behind the horizon otherwise.
    if (page.changes.length > 0 || sweep || page.cursor !== cursor) {
      const { signal } = this.#options;
      const { hasMore } = page;
      const step = {
        position: writePosition(next),
        generation,
        begins: cursor === null,
        sweep,
        hasMore,
        signal,
      };
      await this.#options.apply(page.changes, step);
      await this.#store(step);
      this.#summary.changes += page.changes.length;
      this.#report({ type: "applied", changes: page.changes.length, hasMore, sweep });
    }
    this.#position = next;
    this.#hasMore = page.hasMore;
    if (sweep) this.#unfinishedWalks = 0;
  }

  async #store({ position }: Step): Promise<void> {
    const { store } = this.#options;
    if (store.save) return store.save(position);
    if (this.#isPositionSeenStored) return;
    // Looked at once: who forgets it would walk from the beginning at every start, and never notice.
    if ((await store.load()) !== position) {
      throw new TidemarkError(
        "position_not_stored",
        "After `apply` the store's load() must give the step's `position`: store it in the same transaction " +
          "as the changes, or give the store a `save` method.",
      );
    }
    this.#isPositionSeenStored = true;
  }

  /** Nothing is stored here: until the walk's first batch is in, the old cursor just expires again. */
  async #restart(error: TidemarkError): Promise<void> {
    if (this.#position.cursor === null) throw error;
    this.#report({ type: "restarting", reason: String(error.problem?.reason ?? "unknown"), error });
    this.#position = beginWalk();
    this.#hasMore = true;
    this.#summary.restarts += 1;
    this.#unfinishedWalks += 1;
    // Walks that expire one after the other must not load the server without pause.
    if (this.#unfinishedWalks > 1) {
      await this.#pause(retryDelayMs(this.#unfinishedWalks, null, this.#clock.random()));
    }
  }

  async #retry(thrown: unknown): Promise<void> {
    const error = requireRetryable(thrown);
    this.#failures += 1;
    const delayMs = retryDelayMs(this.#failures, error.retryAfterMs, this.#clock.random());
    this.#report({ type: "retrying", error, attempt: this.#failures, delayMs });
    await this.#pause(delayMs);
  }

  #pause(ms: number): Promise<void> {
    return this.#clock.pause(ms, this.#options.signal);
  }

  #report(status: FollowStatus): void {
    this.#options.onStatus?.(status);
  }
}
