import { z } from "zod";

/** What may have changed; each names what its ids are. Safe for browsers. */
export const LIVE_KINDS = [
  "run",
  "feed",
  "source",
  "documents",
  "token",
  "webhook",
  "person",
  "workspace",
] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/**
 * A hint that something changed, never the change itself: who hears it reads again what it shows.
 * `ids` are of runs, feeds, sources, tokens, webhooks, people (and invitations) or the workspace; of `documents` the
 * feeds they belong to. Null: too many to name. `all`: hints may have been lost, so everything shown may be old.
 */
export type LiveHint = { kind: LiveKind | "all"; ids: string[] | null };

/** Hints of some tenth of a second, each kind once. The first event of a connection may have none. */
export type LiveEvent = { hints: LiveHint[] };

export const liveInput = z.object({
  /** Set by tRPC when a connection is taken up again. */
  lastEventId: z.string().max(100).nullish(),
});
