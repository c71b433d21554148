import type { z } from "zod";
import type { Adapter, AdapterLog, Credentials, GuardedFetch } from "../adapter.ts";
import type { TidemarkError } from "../errors.ts";
import type { ConnectionOptions } from "../http/connection.ts";
import type { Rejection, Warning } from "../wire.ts";

/** Keeps an adapter's private state between runs: `createFileStore(path)`, or a row of your own. */
export type StateStore = {
  /** What was saved last, null before the first. */
  load(): string | null | undefined | Promise<string | null | undefined>;
  /** Called after each page that carries a state, once the server has it. */
  save(state: string): void | Promise<void>;
};

export type RunSyncOptions<Schema extends z.ZodType = z.ZodType> = {
  adapter: Adapter<Schema>;
  /**
   * The feed's id; it exists already (`POST /sources/{sourceId}/feeds` ensures one). With `url`, the
   * address that the adapter is to ask instead of the feed's `externalKey`, secrets included: they stay here.
   */
  feed: string | { id: string; url?: string };
  /** Where the server is, and a token with `sources:read`, `documents:write` and `runs:write`. */
  client: ConnectionOptions;
  /** Preferences, as the adapter's schema takes them. Absent: the source's, as the server has them. */
  config?: z.input<Schema>;
  /** For the upstream. They are sent to the feed's own origin alone, and never to Tidemark. */
  credentials?: Credentials;
  /** Absent: the adapter's state is forgotten after the run, so the upstream cannot say "not modified". */
  state?: StateStore;
  /** List from the beginning although the feed has a position, so that `complete` counts. */
  listing?: boolean;
  /** Why it runs, for the audit trail. Default `api`. */
  trigger?: "schedule" | "manual" | "api" | "webhook" | "launch";
  /**
   * Ends the run as `partial` after this time, in milliseconds: what was read is stored, and the next run
   * goes on. Default and most: an hour and 55 minutes, because the server takes two hours as the end.
   */
  budgetMs?: number;
  /** Aborting ends the run as `partial`; `runSync` then throws the signal's reason. */
  signal?: AbortSignal;
  /** Instead of the host's own `fetch`, as `createHostFetch` wraps it: a guarded one, a proxy, a fake. */
  fetch?: GuardedFetch;
  /** Hears what the adapter logs; its warnings are on the run as well. */
  log?: Partial<AdapterLog>;
  /** The time, for the adapter. Default: now. */
  now?: () => Date;
  onStatus?: (status: SyncStatus) => void;
};

export type SyncStatus =
  | { type: "started"; runId: string; cursor: string | null }
  /** A page and its cursor are stored. */
  | { type: "page"; documents: number; cursor: string | null }
  /** `overtaken`: somebody else moved the cursor ahead. `expired`: the upstream forgot the position. */
  | { type: "restarting"; reason: "overtaken" | "expired"; from: string | null }
  /** A call failed in a way that may pass; it is sent again after `delayMs`. */
  | { type: "retrying"; error: TidemarkError; attempt: number; delayMs: number };

/** Why a run stopped early or failed, as it is recorded on the run. */
export type RunError = {
  /** Whose fault: the service that is read, the adapter, or Tidemark. */
  origin: "upstream" | "adapter" | "tidemark";
  code: string;
  message: string;
  detail: string | null;
  retryable: boolean;
};

/** What a run did. Created + updated + skipped + deleted + rejected = documents sent. */
export type SyncSummary = {
  runId: string;
  /** `partial`: stopped early by a rate limit or its time budget; the next run goes on. */
  status: "succeeded" | "partial";
  pages: number;
  created: number;
  updated: number;
  skipped: number;
  deleted: number;
  rejected: Rejection[];
  /** The feed's cursor before and after; others may have moved it too. */
  cursorBefore: string | null;
  cursor: string | null;
  /** How often the adapter was asked again, from another position. */
  restarts: number;
  /** The run listed everything from the beginning: what it did not bring is gone, or held for a person. */
  complete: boolean;
  /** The adapter's and the server's. */
  warnings: Warning[];
  /** Why it is `partial`. */
  error: RunError | null;
  /** When a rate limit ends, if the upstream said so. */
  retryAt: Date | null;
};
