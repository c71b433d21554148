import type { ErrorCode } from "@/server/errors";

/** Ids of the examples: one small workspace, which test/example-workspace.ts makes. */
export const EXAMPLE_IDS = {
  sourceId: "src_01jz7d1e0gf2r8v5k3m9q4t6wx",
  feedId: "feed_01jz7d1e1hf2r8v5k3m9q4t6wx",
  /** A source of type `rss`, which the server syncs, and its feed. */
  siteId: "src_01jz7d1e2jf2r8v5k3m9q4t6wx",
  siteFeedId: "feed_01jz7d1e3kf2r8v5k3m9q4t6wx",
  /** Of `a-17` in the feed: derived from both. */
  documentId: "doc_7hk1wd57kwg5jv92yt9kgkp27f",
  runId: "run_01jz7d1e4mf2r8v5k3m9q4t6wx",
  holdId: "hold_01jz7d1e5nf2r8v5k3m9q4t6wx",
  rejectionId: "rej_01jz7d1e6pf2r8v5k3m9q4t6wx",
  webhookId: "whk_01jz7d1e7qf2r8v5k3m9q4t6wx",
  deliveryId: "dlv_01jz7d1e8rf2r8v5k3m9q4t6wx",
} as const;

/** What the example needs beside the workspace. */
export type Given = "run" | "hold" | "paused" | "pausedSite" | "pausedSource";

/** A request as openapi.json shows it. Its answer stands in answers.json, recorded by examples.test.ts. */
export type Example = {
  /** Where they are not EXAMPLE_IDS' own. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  given?: readonly Given[];
  status: number;
};

/** What openapi.json says of an operation beyond its route's schemas. */
export type Notes = {
  /** Meaning, units and what it does not do, after the route's own description. */
  about?: string;
  /** Codes beyond those of every operation with such parameters and body (describe-api.ts). */
  errors?: readonly ErrorCode[];
  example: Example;
};
