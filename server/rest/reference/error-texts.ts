import { type ErrorCode, HTTP_STATUS } from "@/server/errors";

/** Codes of REST: those of the use cases and those that only the transport gives. */
export type RestCode = ErrorCode | "internal_error" | "method_not_allowed";

/** What each code means and what to do, for openapi.json; docs/errors.md says the same at length. */
export const ERROR_TEXTS: Record<RestCode, string> = {
  unauthenticated: "The token is missing, unknown, expired or revoked.",
  forbidden: "The token lacks the scope; `missingScope` names it.",
  not_found: "It is not in this workspace.",
  feed_not_found: "There is no such feed in this workspace.",
  method_not_allowed: "The path has no such method; `Allow` lists those it has.",
  invalid_request: "A field or parameter has a wrong type or is out of range; `errors` lists each.",
  malformed_json: "The body is not JSON in UTF-8, or not the gzip it says it is.",
  body_too_large: "The body is larger than 8 MiB once decoded. Send less at a time.",
  unsupported_encoding: "`Content-Encoding` is neither `gzip` nor `identity`.",
  rate_limited: "Too many requests a second, or too many at the same time. `Retry-After` is in seconds.",
  too_many_documents: "More than 50 documents in one call. Send slices.",
  cursor_invalid: "Not a cursor of this feed's kind, or not one that was handed out.",
  cursor_filter_mismatch: "The cursor was made with another `sourceId` or `feedId`.",
  cursor_expired: "Changes may be missing after this cursor: start over, see `reason` and `restart`.",
  feed_disabled: "The feed is disabled. Resume it first.",
  feed_deleting: "The feed or its source is being deleted.",
  run_fenced: "The run is not active any more: it was finished or its lease ran out. Start a new one.",
  run_active: "The feed has a run in progress; `runId` names it.",
  document_deleted: "The document was deleted.",
  conflict: "It is not possible in the present state; `detail` says why.",
  upstream_failed: "The upstream could not be reached or did not answer as expected.",
  unavailable: "Starting, stopping or without its database. Nothing was done; try again.",
  internal_error: "A fault of the server; its log knows it by `requestId`.",
};

export function statusOf(code: RestCode): number {
  if (code === "internal_error") return 500;
  return code === "method_not_allowed" ? 405 : HTTP_STATUS[code];
}
