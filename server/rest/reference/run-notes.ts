import type { Notes } from "./notes";

export const runNotes: Record<string, Notes> = {
  "get /runs": {
    about:
      "`since` and `until` are RFC 3339 and about when it started or was queued: from `since` on, before `until`. `bytes` are the upstream's, decoded, as a string.",
    errors: ["not_found", "feed_not_found"],
    example: { given: ["run"], query: { status: "running" }, status: 200 },
  },
  "get /runs/{runId}": {
    about: "`events` in time order; secrets in them are masked.",
    example: { given: ["run"], status: 200 },
  },
  "post /feeds/{feedId}/runs": {
    about:
      "`cursor` is where to go on from. Renew the lease before `leaseExpiresAt` (60 s) or the run is abandoned; pushes with its `runId` renew it too. `listing`: list from the beginning although there is a cursor, so that `complete` counts.",
    errors: ["run_active", "feed_disabled", "feed_deleting", "conflict"],
    example: { body: { trigger: "schedule" }, status: 201 },
  },
  "post /runs/{runId}/heartbeat": {
    about:
      "Never past the run's deadline. On `run_fenced` stop: nothing more of this run is written. Another workspace's run looks the same.",
    errors: ["run_fenced"],
    example: { given: ["run"], status: 200 },
  },
  "post /runs/{runId}/restart": {
    about: "Once a run; `conflict` the second time.",
    errors: ["run_fenced", "conflict", "cursor_invalid", "feed_not_found"],
    example: { given: ["run"], body: { reason: "The upstream no longer knows the position" }, status: 200 },
  },
  "post /runs/{runId}/finish": {
    about:
      "`error` is a sentence or an object; without `retryable: false` it is tried again. With `error.code` `rate_limited`, `retryAt` (RFC 3339) says when. A mass delete is held for a person.",
    errors: ["run_fenced", "feed_not_found"],
    example: { given: ["run"], body: { status: "succeeded", complete: false }, status: 200 },
  },
};
