import type { AdapterFeed, AdapterLog, Cursor, JsonObject, SyncContext } from "../adapter.ts";
import { CursorExpired } from "../adapter.ts";
import { invalidOption } from "../errors.ts";
import type { Clock } from "../http/clock.ts";
import { connect } from "../http/connection.ts";
import type { Retry } from "../http/retry-request.ts";
import { createTextMask, type MaskText, secretsOfCredentials, secretsOfUrl } from "../mask-secrets.ts";
import { AdapterThrew, explainFailure } from "./explain-failure.ts";
import { createHostFetch } from "./host-fetch.ts";
import { KeptState } from "./keep-state.ts";
import type { RunSyncOptions, SyncSummary } from "./options.ts";
import { readPages } from "./read-pages.ts";
import { type FeedFacts, RunApi, type RunEnd } from "./run-api.ts";
import { keepRunAlive, type RunLife } from "./run-life.ts";
import { type Walk, Walker } from "./walker.ts";
import { toAdapterCursor } from "./wire-cursor.ts";

/** Whoever is overtaken this often is overtaken for ever; the documents have arrived all the same. */
const MAX_RESTARTS = 5;
const MAX_WARNINGS = 50;
/** For recording an end after the caller asked to stop. */
const LAST_WORD_MS = 5_000;

type Prepared = { facts: FeedFacts; config: unknown; mask: MaskText };

/** One run: what it is told, its walks over the upstream, and how it ends. */
export class Syncer {
  readonly #options: RunSyncOptions;
  readonly #feed: { id: string; url: string | undefined };
  readonly #clock: Clock;
  readonly #api: RunApi;
  readonly #state: KeptState;
  readonly #summary: SyncSummary = {
    runId: "",
    status: "succeeded",
    pages: 0,
    created: 0,
    updated: 0,
    skipped: 0,
    deleted: 0,
    rejected: [],
    cursorBefore: null,
    cursor: null,
    restarts: 0,
    complete: false,
    warnings: [],
    error: null,
    retryAt: null,
  };

  constructor(options: RunSyncOptions, feed: { id: string; url: string | undefined }, clock: Clock) {
    this.#options = options;
    this.#feed = feed;
    this.#clock = clock;
    this.#api = new RunApi(connect(options.client), clock, this.#onRetry);
    this.#state = new KeptState(options.state, feed.id);
  }

  async run(): Promise<SyncSummary> {
    const { signal, trigger, listing, budgetMs, onStatus } = this.#options;
    const prepared = await this.#prepare();
    const start = { ...(trigger && { trigger }), ...(listing && { listing }) };
    const { runId, cursor, leaseExpiresAt } = await this.#api.start(this.#feed.id, start, signal);
    Object.assign(this.#summary, { runId, cursorBefore: cursor, cursor });
    onStatus?.({ type: "started", runId, cursor });

    const beat = () => this.#api.heartbeat(runId);
    const life = keepRunAlive({ beat, leaseExpiresAt, budgetMs, signal });
    try {
      await this.#walk(prepared, life);
    } catch (thrown) {
      return await this.#fail(life.signal.aborted ? life.signal.reason : thrown, prepared.mask);
    } finally {
      life.end();
    }
    const { complete } = this.#summary;
    await this.#finish({ status: "succeeded", ...(complete && { complete }) });
    return this.#summary;
  }

  /** What can be wrong before a run is started, is said before one is. */
  async #prepare(): Promise<Prepared> {
    const { adapter, signal, credentials } = this.#options;
    const facts = await this.#api.readFeed(this.#feed.id, signal);
    const { watermark } = facts;
    if (watermark !== null && watermark !== adapter.watermark) {
      const message = `The feed's cursor is of type "${watermark}", the adapter's of type "${adapter.watermark}".`;
      throw invalidOption(message);
    }
    if (watermark === null && adapter.watermark === "token") {
      const message =
        'The feed does not know yet that its cursor is a token, and could take one for a date. Ensure it with `watermark: "token"`.';
      throw invalidOption(message);
    }
    const stored = this.#options.config ?? (await this.#api.readConfig(facts.sourceId, signal));
    const config = adapter.config.safeParse(stored);
    if (!config.success) {
      const fields = config.error.issues.map(
        ({ path, message }) => `${path.join(".") || "config"}: ${message}`,
      );
      throw invalidOption(`The config does not fit the adapter (${fields.join("; ")}).`);
    }
    const address = this.#feed.url ?? facts.externalKey;
    const secrets = credentials ? secretsOfCredentials(credentials) : [];
    if (URL.canParse(address)) {
      const url = new URL(address);
      secrets.push(...secretsOfUrl(url), url.password);
    }
    return { facts, config: config.data, mask: createTextMask([...secrets, this.#options.client.token]) };
  }

  /** Walks the adapter; again when somebody else got ahead, once from nothing when the position is forgotten. */
  async #walk(prepared: Prepared, life: RunLife): Promise<void> {
    const { runId, cursorBefore } = this.#summary;
    const listing = this.#options.listing ?? false;
    let from = listing ? null : cursorBefore;
    let walk: Walk = { before: cursorBefore, sendsCursor: true, mayRestart: !listing };
    for (;;) {
      try {
        const result = await this.#walkOnce(prepared, life, from, walk);
        if (!result.overtaken) {
          // Whoever went on from a position has not listed everything, whatever the adapter says.
          this.#summary.complete = result.complete && from === null;
          return;
        }
        from = this.#summary.cursor;
        const mayRestart = this.#summary.restarts + 1 < MAX_RESTARTS;
        walk = { before: from, sendsCursor: true, mayRestart };
        this.#noteRestart("overtaken", from);
      } catch (thrown) {
        const cause = thrown instanceof AdapterThrew ? thrown.cause : thrown;
        // Once: from nothing there is no position left to forget.
        if (!(cause instanceof CursorExpired) || from === null) throw thrown;
        life.signal.throwIfAborted();
        const reason = prepared.mask(cause.message || "position expired").slice(0, 1000);
        const before = await this.#api.restart({ runId, feedId: this.#feed.id }, reason, life.signal);
        await this.#state.save(null, before);
        from = null;
        walk = { before, sendsCursor: true, mayRestart: false };
        this.#noteRestart("expired", null);
      }
    }
  }

  async #walkOnce(prepared: Prepared, life: RunLife, from: string | null, walk: Walk) {
    const { adapter } = this.#options;
    const { facts } = prepared;
    // A listing must not be answered "not modified" because of what an earlier run left.
    const isRelisting = from === null && walk.before !== null;
    const state = isRelisting ? null : await this.#state.load(from);
    const ctx = this.#context(prepared, life.signal, toAdapterCursor(adapter.watermark, from), state);
    const walker = new Walker(this.#options, { facts, feedId: this.#feed.id }, this.#summary, this.#clock);
    for await (const page of readPages(adapter, ctx)) {
      await walker.push(page, walk, life.signal);
      if (page.state !== undefined) await this.#state.save(page.state, this.#summary.cursor);
      if (walker.overtaken && walk.mayRestart) break;
    }
    return { overtaken: walker.overtaken && walk.mayRestart, complete: walker.complete };
  }

  #context(
    { facts, config, mask }: Prepared,
    signal: AbortSignal,
    cursor: Cursor,
    state: JsonObject | null,
  ): SyncContext {
    const { adapter, credentials = { type: "none" }, now = () => new Date() } = this.#options;
    const url = this.#feed.url ?? facts.externalKey;
    const feed: AdapterFeed = {
      id: this.#feed.id,
      externalKey: facts.externalKey,
      url,
      name: facts.name,
      config: facts.config,
      state,
    };
    const credentialOrigin = adapter.externalKeyIsUrl && URL.canParse(url) ? new URL(url).origin : undefined;
    const fetch = this.#options.fetch ?? createHostFetch({ credentials, credentialOrigin });
    // An adapter that forgets to pass the signal on ends with the run all the same.
    const endingFetch: SyncContext["fetch"] = (to, init = {}) => {
      const own = init.signal !== undefined && init.signal !== signal ? init.signal : null;
      return fetch(to, { ...init, signal: own ? AbortSignal.any([signal, own]) : signal });
    };
    return { config, feed, cursor, credentials, fetch: endingFetch, signal, log: this.#log(mask), now };
  }

  #log(mask: MaskText): AdapterLog {
    const { log } = this.#options;
    return {
      info: (message, data) => log?.info?.(mask(message), data),
      warn: (code, message, data) => {
        this.#warn(code, mask(message));
        log?.warn?.(code, mask(message), data);
      },
    };
  }

  #warn(code: string, message: string): void {
    const { warnings } = this.#summary;
    const isKnown = warnings.some((known) => known.code === code && known.message === message);
    if (!isKnown && warnings.length < MAX_WARNINGS) warnings.push({ code, message });
  }

  #noteRestart(reason: "overtaken" | "expired", from: string | null): void {
    this.#summary.restarts += 1;
    this.#options.onStatus?.({ type: "restarting", reason, from });
  }

  /** Records a run that did not succeed. @throws what ended it, unless it may simply go on next time. */
  async #fail(thrown: unknown, mask: MaskText): Promise<SyncSummary> {
    const isStopped = this.#options.signal?.aborted ?? false;
    const { status, error, retryAt } = explainFailure(thrown, mask, isStopped);
    const cause = thrown instanceof AdapterThrew ? thrown.cause : thrown;
    if (status === "lost") throw cause;
    const lastWord = isStopped ? AbortSignal.timeout(LAST_WORD_MS) : undefined;
    try {
      await this.#finish({ status, error, ...(retryAt && { retryAt: retryAt.toISOString() }) }, lastWord);
    } catch (unrecorded) {
      // The server gives the run up when its lease ends. What went wrong first is what to tell.
      if (status === "partial" && !isStopped) throw unrecorded;
      throw cause;
    }
    if (isStopped || status !== "partial") throw cause;
    return Object.assign(this.#summary, { status, error, retryAt });
  }

  #finish(end: Omit<RunEnd, "warnings">, signal?: AbortSignal): Promise<void> {
    const { runId, warnings } = this.#summary;
    return this.#api.finish(runId, { ...end, warnings: warnings.filter(isOurs) }, signal);
  }

  readonly #onRetry = (retry: Retry) => this.#options.onStatus?.({ type: "retrying", ...retry });
}

/** The server's own warnings are on the run already. */
function isOurs({ code }: { code: string }): boolean {
  return !["cursor_conflict", "cursor_clamped", "cursor_kept"].includes(code);
}
