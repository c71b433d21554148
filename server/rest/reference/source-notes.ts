import { EXAMPLE_IDS, type Notes } from "./notes";

const site = { sourceId: EXAMPLE_IDS.siteId };

export const sourceNotes: Record<string, Notes> = {
  "get /sources": {
    about:
      "Oldest first. `status` and `type` filter exactly, `q` by a part of the name in any case. `documentCount` counts live documents.",
    example: { query: { limit: "2" }, status: 200 },
  },
  "post /sources": {
    about:
      "`type` is an adapter's (`GET /adapters`), or `api` for a source that only gets pushes. What exists is returned as it is, whatever else the body says. Answers `conflict` when the key belongs to a source of another type.",
    errors: ["conflict", "feed_deleting"],
    example: {
      body: {
        type: "api",
        name: "Tide tables",
        key: "tables",
        feeds: [{ externalKey: "bergen", watermark: "date" }],
      },
      status: 201,
    },
  },
  "get /sources/{sourceId}": { about: "Secrets in `config` are masked.", example: { status: 200 } },
  "patch /sources/{sourceId}": {
    about: "What is left out stays. `credentials` replaces what is kept; null forgets it.",
    errors: ["conflict"],
    example: { body: { name: "Harbour notes" }, status: 200 },
  },
  "delete /sources/{sourceId}": {
    about:
      "With all its feeds; their runs are cancelled. Up to a few thousand documents go at once, more in the background.",
    example: { status: 204 },
  },
  "post /sources/{sourceId}/pause": {
    about: "Its feeds are not synced until it is resumed. They go on taking pushes.",
    errors: ["conflict"],
    example: { status: 200 },
  },
  "post /sources/{sourceId}/resume": {
    about: "Feeds that were paused for themselves stay paused.",
    errors: ["conflict"],
    example: { given: ["pausedSource"], status: 200 },
  },
  "post /sources/{sourceId}/sync": {
    about:
      "Does not wait for the runs to end. Answers `conflict` for a source that is paused or only gets pushes.",
    errors: ["conflict"],
    example: { params: site, status: 200 },
  },
  "get /adapters": { example: { status: 200 } },
};
