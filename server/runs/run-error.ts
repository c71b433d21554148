/** Why a run stopped early or failed, as stored on the run and, after a failure, on its feed. */
export type RunError = {
  /** Whose fault: the service we read, the connector that reads it, or this server. */
  origin: "upstream" | "adapter" | "tidemark";
  /** Stable; `UpstreamErrorCode` when the origin is upstream. */
  code: string;
  /** For people: what happened, what it means, what to do. Secrets masked. */
  message: string;
  /** Raw evidence, at most 2 KB, secrets masked. */
  detail: string | null;
  /** Is trying again by itself worth while? */
  retryable: boolean;
};

/** Something a person should know about a run that went well otherwise. */
export type RunWarning = { code: string; message: string };

/** The run reached its time budget. A state, not a failure: the next run goes on. */
export const TIME_BUDGET = "time_budget";
/** This server stopped while the run was under way; another process goes on at once. */
export const SHUTDOWN = "shutdown";
/** The upstream asked to wait. A state of the feed, not a failure. */
export const RATE_LIMITED = "rate_limited";
