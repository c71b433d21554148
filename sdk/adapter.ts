import type { z } from "zod";
import type { JsonObject, JsonValue } from "./wire.ts";

/**
 * The adapter contract: what an upstream connector declares, what it is handed, what it yields.
 * The same adapter runs in this server, in the agent on a user's machine and in anyone's own code,
 * so this file knows neither the database nor the server.
 */

export type WatermarkType = "date" | "idSet" | "token" | "none";

/** Where the last sync got to. `none` means: no position yet, or a watermark that stores none. */
export type Cursor =
  | { type: "date"; value: string }
  | { type: "idSet"; high: string; recent: string[] }
  | { type: "token"; value: string }
  | { type: "none" };

export type { JsonObject, JsonValue };

/** One document as an adapter hands it over. Absent fields are unknown, not empty. */
export type AdapterDocument = {
  /** The upstream's own id, exactly as published. At most 8,192 bytes of UTF-8. */
  id: string;
  /** What identity is decided by, when that is not `id` (folded scheme, folded path). */
  key?: string;
  /** Decimal integer of at most 38 digits, or RFC 3339. Opaque revisions go into `revision`. */
  version?: string;
  /** Opaque (ETag, hash, `_rev`); joins the content hash. */
  revision?: string;
  title?: string;
  text?: string;
  format?: "text" | "html" | "markdown";
  url?: string;
  author?: string;
  /** RFC 3339. */
  date?: string;
  metadata?: JsonObject;
  /** True writes a tombstone. Absence from a page never deletes. */
  deleted?: boolean;
};

/** Polling hints of the upstream. The runner takes the largest of them and its own interval. */
export type PollHints = {
  /** The upstream asks not to be polled more often than this, in seconds. */
  minIntervalSeconds?: number;
  /** Hours 0–23 in UTC during which the upstream asks not to be polled. */
  skipHoursUtc?: number[];
  /** Days 0 (Sunday)–6 in UTC during which the upstream asks not to be polled. */
  skipDaysUtc?: number[];
};

/**
 * One page. The runner commits documents, `cursor`, `state` and the rest in one transaction,
 * then asks for the next page. Pages over 50 documents are split by the runner; only the last
 * slice carries `cursor` and `state`.
 */
export type Page = {
  documents: AdapterDocument[];
  /** Walks from old to new send one with each page; walks from new to old only with the last. */
  cursor?: Cursor;
  /** True on the last page of a listing that began at the beginning: what was not listed is gone. */
  complete?: boolean;
  /**
   * The adapter's private memory of this feed (HTTP validators, body hash, …), at most 64 KiB of
   * JSON. Replaces the old one when the page commits; absent = unchanged.
   */
  state?: JsonObject;
  hints?: PollHints;
  /** What the upstream calls itself; used as the feed's name while a person gave it none. */
  feedTitle?: string;
  /** Where every hop of the redirect was permanent: the final URL. Adopted after three successes. */
  movedTo?: string;
};

/** A feed that a source offers, found by `discover`. */
export type DiscoveredFeed = {
  externalKey: string;
  name: string;
  description?: string;
  /** Where it was asked for, when every hop to `externalKey` was permanent: the same feed, before it moved. */
  movedFrom?: string;
  /** Documents seen while looking, when known. */
  sampleTitles?: string[];
};

export type Credentials =
  | { type: "none" }
  | { type: "basic"; username: string; password: string }
  | { type: "bearer"; token: string };

export type AdapterLog = {
  info(message: string, data?: JsonObject): void;
  /** Shown on the run as a warning. `code` is stable, `message` is for people. */
  warn(code: string, message: string, data?: JsonObject): void;
};

/** The guarded fetch. See adapters/http.ts for limits and errors. */
export type GuardedFetch = (url: string | URL, init?: GuardedFetchInit) => Promise<GuardedResponse>;

export type GuardedFetchInit = {
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Cap on decoded bytes; can only lower the default of 20 MiB. */
  maxBytes?: number;
};

/** A whole response: the body was read, decoded and bounded. */
export type GuardedResponse = {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Decoded bytes. */
  body: Uint8Array;
  /** URL that finally answered. */
  url: string;
  /** True when there was a redirect and every hop was 301 or 308. */
  movedPermanently: boolean;
};

export type AdapterFeed = {
  id: string;
  /** As shown to people, secrets masked. */
  externalKey: string;
  /** `externalKey` with its secrets put back from the vault; never log it. */
  url: string;
  name: string | null;
  config: JsonObject;
  /** What the last committed page left here. */
  state: JsonObject | null;
};

export type SyncContext<Config = unknown> = {
  config: Config;
  feed: AdapterFeed;
  cursor: Cursor;
  credentials: Credentials;
  fetch: GuardedFetch;
  /** Aborted when the run lost its lease, was cancelled or ran out of time. */
  signal: AbortSignal;
  log: AdapterLog;
  /** The time now; handed in so that tests decide it. */
  now: () => Date;
};

export type DiscoverContext<Config = unknown> = Omit<SyncContext<Config>, "feed" | "cursor"> & {
  /** What the person typed: a site address, a feed address; null when the config says it all. */
  input: string | null;
};

export type ConnectionCheck = {
  ok: true;
  message: string;
  feedTitle?: string;
  documents?: number;
  finalUrl?: string;
};

export type Adapter<Schema extends z.ZodType = z.ZodType> = {
  /** Lower-case, digits and dashes. Stored on sources; never renamed. */
  type: string;
  name: string;
  description: string;
  /** The catalogue's heading above it, such as "Newsletters"; absent = "Other". */
  category?: string;
  /**
   * The services it is made for, as host names; each also means its subdomains. A typed address of one
   * of them goes to this adapter, any other to the first adapter that names none.
   */
  hosts?: readonly string[];
  watermark: WatermarkType;
  /** Ways to authenticate upstream; the first is the default. */
  auth: readonly Credentials["type"][];
  /** What to enter for a way to authenticate, and when it is needed, for people. */
  authHints?: Partial<Record<Credentials["type"], string>>;
  /** Preferences of a source, never credentials. */
  config: Schema;
  runsOn: readonly ("cloud" | "agent")[];
  /** What `externalKey` means, for people. */
  externalKey: string;
  /** Does `externalKey` hold a URL whose secrets belong in the vault? */
  externalKeyIsUrl?: boolean;
  /** Lists the feeds that a source or a typed address offers. Throws UpstreamError. */
  discover?(ctx: DiscoverContext<z.infer<Schema>>): Promise<DiscoveredFeed[]>;
  /** May `discover` list several feeds, to which the upstream adds more as time goes by? */
  discoversMany?: boolean;
  /** Asked before a source is saved and on demand. Throws UpstreamError with what to do. */
  checkConnection?(ctx: Omit<SyncContext<z.infer<Schema>>, "cursor">): Promise<ConnectionCheck>;
  sync(ctx: SyncContext<z.infer<Schema>>): Promise<Page> | AsyncIterable<Page>;
};

export function defineAdapter<Schema extends z.ZodType>(adapter: Adapter<Schema>): Adapter<Schema> {
  if (!/^[a-z][a-z0-9-]{1,39}$/.test(adapter.type)) {
    throw new Error(`adapter type "${adapter.type}" must be lower-case letters, digits and dashes`);
  }
  return adapter;
}

/** Why an upstream could not be read. The runner decides by `code`, people read `message`. */
export type UpstreamErrorCode =
  | "rate_limited" // 429, or 503 with Retry-After: a state of the feed, not a failure
  | "unavailable" // 5xx, network, time-out
  | "not_found" // 404: maybe temporary
  | "gone" // 410 where it means for good: the feed is disabled, documents stay
  | "unauthorized" // 401: credentials missing or refused → needs_reconnect
  | "forbidden" // 403: paywall, bot wall
  | "not_a_feed" // it answered, but not with what this adapter reads
  | "malformed" // it is the right kind but cannot be parsed
  | "too_large" // the cap on decoded bytes
  | "too_slow" // a time limit
  | "blocked_address" // the guard refused the address
  | "too_many_redirects"
  | "invalid_url"
  | "protocol"; // anything else the upstream did wrong

export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  constructor(
    readonly code: UpstreamErrorCode,
    /** For people: what happened, what it means, what to do. Secrets masked. */
    message: string,
    readonly info: {
      retryable: boolean;
      status?: number;
      /** Wait until then (from Retry-After or a reset header), already capped to 24 h. */
      retryAt?: Date;
      /** Raw answer, at most 2 KB, secrets masked; never of a blocked address. */
      detail?: string;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The upstream forgot the position. The runner restarts from nothing once, then gives up. */
export class CursorExpired extends Error {
  override readonly name = "CursorExpired";
}
