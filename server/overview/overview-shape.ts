/** What the overview page shows. Days are UTC, like the folded runs. */

export type AttentionAction = {
  /** What to offer beside the cause. `bulk` names the act for `feeds.bulk` on all that match the cause. */
  kind: "reconnect" | "resume" | "sync" | "wait" | "review_deletes" | "review_rejections" | "edit" | "look";
  label: string;
  bulk: "sync" | "resume" | null;
};

export type AttentionFeed = {
  feedId: string;
  name: string;
  sourceId: string;
  sourceName: string;
  /** Since when it fails, or until when it is limited; null where that means nothing. */
  since: string | null;
  message: string | null;
};

export type Attention = {
  /** As the feeds table's `cause` filter spells it. */
  cause: string;
  severity: "error" | "warning" | "notice";
  /** One line: "3 feeds are refused by their sites". */
  title: string;
  /** What it means and what to do. */
  explanation: string;
  action: AttentionAction;
  count: number;
  /** The longest standing first; at most five. */
  feeds: AttentionFeed[];
  /** All of them up to 100; more through `feeds.matching({ cause })`. */
  feedIds: string[];
};

export type Health = {
  /** `empty`: nothing is connected yet. */
  level: "empty" | "good" | "warning" | "bad";
  /** One sentence for people. */
  sentence: string;
  sources: number;
  feeds: number;
  /** Feeds by status, each feed once. */
  byStatus: Record<
    "active" | "paused" | "failing" | "rate_limited" | "needs_reconnect" | "disabled" | "deleting",
    number
  >;
  documents: number;
  activeRuns: number;
  /** Feeds whose time has come and that no run took yet. */
  due: number;
  lastSuccessAt: string | null;
};

export type IngestMinute = { at: string; created: number; updated: number; deleted: number };

export type Activity =
  | {
      type: "run";
      id: string;
      at: string;
      status: string;
      trigger: string;
      feedId: string;
      feedName: string | null;
      sourceId: string;
      sourceName: string | null;
      created: number;
      updated: number;
      deleted: number;
      rejected: number;
      message: string | null;
    }
  | {
      type: "act";
      id: string;
      at: string;
      actor: unknown;
      action: string;
      targetId: string | null;
      targetName: string | null;
    };

export type Overview = {
  health: Health;
  attention: Attention[];
  /** The last 60 minutes, oldest first, and what they come to. */
  ingest: { minutes: IngestMinute[]; documentsLastHour: number; documentsPerMinute: number };
  /** The latest first: runs that changed or failed something, and what people did. */
  activity: Activity[];
};

export type ChartDay = {
  /** `2026-06-14` */
  day: string;
  documents: { created: number; updated: number; deleted: number };
  runs: { succeeded: number; partial: number; failed: number; cancelled: number };
  /** Of runs that read an upstream, pushes aside; null on days without. */
  durations: { p50Ms: number; p95Ms: number } | null;
};

export type OverviewCharts = {
  /** The oldest first, today last; days without anything are there too. */
  days: ChartDay[];
};
