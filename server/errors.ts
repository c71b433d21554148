/** Every failure the product can explain. A new code is a type error until each transport maps it. */
export type ErrorCode =
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "feed_not_found"
  | "invalid_request"
  | "malformed_json"
  | "body_too_large"
  | "unsupported_encoding"
  | "rate_limited"
  | "too_many_documents"
  | "cursor_invalid"
  | "cursor_filter_mismatch"
  | "cursor_expired"
  | "feed_disabled"
  | "feed_deleting"
  | "run_fenced"
  | "run_active"
  | "document_deleted"
  | "conflict"
  | "upstream_failed"
  | "unavailable";

/** HTTP status of each code; the one table that REST and tRPC both read. */
export const HTTP_STATUS: Record<ErrorCode, number> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  feed_not_found: 404,
  invalid_request: 422,
  malformed_json: 400,
  body_too_large: 413,
  unsupported_encoding: 415,
  rate_limited: 429,
  too_many_documents: 422,
  cursor_invalid: 422,
  cursor_filter_mismatch: 400,
  cursor_expired: 410,
  feed_disabled: 409,
  feed_deleting: 409,
  run_fenced: 409,
  run_active: 409,
  document_deleted: 410,
  conflict: 409,
  upstream_failed: 422,
  unavailable: 503,
};

/** `path` in dots and brackets: `documents[3].id`. */
export type FieldError = { path: string; code: string; message: string };

export class AppError extends Error {
  override readonly name = "AppError";
  constructor(
    readonly code: ErrorCode,
    /** Shown to the user: no SQL, nothing of another tenant. */
    message: string,
    readonly info: {
      /** Sent as `errors`. */
      fields?: FieldError[];
      /** Where one code has two statuses: a change cursor is refused with 400, a feed's with 422. */
      status?: 400;
      /** Sent as Retry-After. */
      retryAfterSeconds?: number;
      /** Logged, never sent. */
      details?: Record<string, unknown>;
      /** More members of the problem document. */
      extra?: Record<string, unknown>;
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
