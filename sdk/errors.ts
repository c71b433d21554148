/** A problem with one field of a request. `path` in dots and brackets: `documents[3].id`. */
export type FieldProblem = { path: string; code: string; message: string };

/** Codes that this client gives; every other one is the server's (`code` of its problem answer). */
export type ClientCode =
  /** No whole answer came: no connection, it was lost half-way, or a time limit passed. */
  | "network_error"
  /** An answer came that is not Tidemark's: another program listens there, or something in between. */
  | "unexpected_answer"
  /** An option makes no sense. */
  | "invalid_option"
  /** What the store's `load()` gave is not what was stored. */
  | "position_invalid"
  /** `apply` did not store the position, and the store has no `save`. */
  | "position_not_stored";

/** What the server says with an error, and what this client found out about it. */
export type ErrorFacts = {
  /** HTTP status; null when no answer came. */
  status?: number | null;
  /** The server's log knows the request by it. */
  requestId?: string | null;
  fields?: FieldProblem[];
  retryable?: boolean;
  /** From Retry-After. */
  retryAfterMs?: number | null;
  /** The problem document as it came. */
  problem?: Readonly<Record<string, unknown>> | null;
};

/** Every failure of this client. Decide by `code`, which stays the same; show `message` to people. */
export class TidemarkError extends Error {
  override readonly name = "TidemarkError";
  readonly status: number | null;
  readonly requestId: string | null;
  /** What is wrong with which field, when the server refused a body or a query. */
  readonly fields: readonly FieldProblem[];
  /** Could the same call succeed later? The client's loops try these again by themselves. */
  readonly retryable: boolean;
  /** How long the server asks us to wait, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** More members of the server's answer, such as `missingScope` or `reason`. */
  readonly problem: Readonly<Record<string, unknown>> | null;

  constructor(
    readonly code: ClientCode | (string & {}),
    message: string,
    facts: ErrorFacts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.fields = facts.fields ?? [];
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.problem = facts.problem ?? null;
  }
}

export function invalidOption(message: string): TidemarkError {
  return new TidemarkError("invalid_option", message);
}
