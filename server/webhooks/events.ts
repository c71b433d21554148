import type { WebhookEventType } from "./choices";
import { dashboardUrl } from "./dashboard-url";

/** What happened, for `recordEvent`. Ids and counts, never a document's content. */
export type WebhookEvent =
  | { type: "run.failed"; feedId: string; runId: string; data: RunFailed }
  | { type: "run.recovered"; feedId: string; runId: string; data: RunRecovered }
  | { type: "feed.paused"; feedId: string; data: { pausedBy: "person" | "failures"; reason: string | null } }
  /** All feeds of a source: they keep their own states. */
  | { type: "feed.paused"; feedId: null; sourceId: string; data: { pausedBy: "source"; reason: null } }
  | { type: "feed.rate_limited"; feedId: string; runId: string; data: { until: string } }
  | {
      type: "deletes.held";
      feedId: string;
      runId: string;
      data: { holdId: string; count: number; reason: string };
    };

type RunFailed = {
  /** `abandoned`: the program that ran it stopped without a word. */
  status: "failed" | "abandoned";
  error: { origin: string; code: string; message: string } | null;
  /** What the failure made of the feed: `active` feeds are tried again. */
  feedState: string;
  consecutiveFailures: number;
  failingSince: string;
  /** Null: not by itself. */
  nextSyncAt: string | null;
};

type RunRecovered = {
  /** Null when a person resumed the feed in between. */
  failingSince: string | null;
  consecutiveFailures: number;
};

/** Names for people beside the ids; no feed's where all of a source's are meant. */
export type FeedNames = { sourceId: string; feedName: string | null; sourceName: string };

/** The request's body: small, and the same bytes on every attempt. */
export function writeBody(type: WebhookEventType | "webhook.test", at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

export function describeEvent(event: WebhookEvent, { sourceId, feedName, sourceName }: FeedNames): object {
  return {
    feedId: event.feedId,
    sourceId,
    feedName,
    sourceName,
    ...("runId" in event && { runId: event.runId }),
    ...event.data,
    links: {
      ...(event.feedId === null
        ? { source: dashboardUrl(`/sources/${sourceId}`) }
        : { feed: dashboardUrl(`/feeds/${event.feedId}`) }),
      ...("runId" in event && { run: dashboardUrl(`/runs/${event.runId}`) }),
    },
  };
}
