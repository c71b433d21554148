import { EXAMPLE_IDS, type Notes } from "./notes";

const siteFeed = { feedId: EXAMPLE_IDS.siteFeedId };

export const feedNotes: Record<string, Notes> = {
  "get /sources/{sourceId}/feeds": {
    about: "Oldest first. `cursor` is where the feed stands, null before the first.",
    example: { status: 200 },
  },
  "post /sources/{sourceId}/feeds": {
    about:
      "`watermark` says what a cursor means: `date`, `idSet`, `token` or `none`; left out it is the adapter's, and for `api` sources inferred from the first cursor. It never changes once known. `intervalSeconds`: seconds between two syncs, 1 to 2,678,400; null = adaptive.",
    errors: ["conflict", "feed_deleting"],
    example: { body: { externalKey: "stavanger", name: "Stavanger", watermark: "date" }, status: 201 },
  },
  "get /feeds/{feedId}": {
    about: "`status`, `error` and `nextSyncAt` say how it is, why, and what happens next.",
    example: { status: 200 },
  },
  "patch /feeds/{feedId}": {
    about:
      "What is left out stays. `intervalSeconds` in seconds, null = adaptive; `name` null = the upstream's title.",
    errors: ["conflict", "feed_deleting"],
    example: { body: { name: "Notes of the harbour" }, status: 200 },
  },
  "delete /feeds/{feedId}": {
    about: "Its active run is cancelled. Up to a few thousand documents go at once, more in the background.",
    example: { status: 204 },
  },
  "post /feeds/{feedId}/pause": {
    about: "It is not synced until it is resumed, and goes on taking pushes.",
    errors: ["feed_disabled", "feed_deleting"],
    example: { status: 200 },
  },
  "post /feeds/{feedId}/resume": {
    about: "Also enables a disabled feed, and forgets its failures.",
    errors: ["feed_deleting"],
    example: { given: ["paused"], status: 200 },
  },
  "post /feeds/{feedId}/sync": {
    about:
      "`wait` is in seconds, 0 to 55. `joined`: the run was there already. Answers `conflict` for a feed that is paused, only gets pushes or is synced by an agent.",
    errors: ["conflict", "feed_disabled", "feed_deleting"],
    example: { params: siteFeed, status: 202 },
  },
  "post /feeds/{feedId}/reset": {
    about:
      "`to` is null (the beginning) or the id of an earlier transition, whose cursor it goes back to. No document is deleted: what comes again is recognised. `reason` is kept in the audit trail. Answers `run_active` while a sync is under way.",
    errors: ["run_active", "not_found", "conflict", "feed_deleting"],
    example: { body: { to: null, reason: "The upstream was restored", dryRun: true }, status: 200 },
  },
  "get /feeds/{feedId}/cursor-transitions": {
    about: "Each move, with who moved it, and each conflict. `kept`: another cursor was sent and refused.",
    example: { query: { limit: "1" }, status: 200 },
  },
  "get /feeds/{feedId}/held-deletes": {
    about:
      "A complete listing that would delete more than 20 % and 10 documents waits here. `sample`: up to 20 external ids.",
    example: { given: ["hold"], status: 200 },
  },
  "post /feeds/{feedId}/held-deletes/{holdId}/approve": {
    errors: ["feed_deleting", "feed_disabled"],
    example: { given: ["hold"], status: 200 },
  },
  "post /feeds/{feedId}/held-deletes/{holdId}/dismiss": {
    about: "The next complete listing may hold them again.",
    example: { given: ["hold"], status: 204 },
  },
};
