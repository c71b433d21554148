import {
  Ban,
  Check,
  CircleDashed,
  CircleX,
  Clock,
  FilePen,
  LoaderCircle,
  type LucideIcon,
  Pause,
  Plug,
  Timer,
  Trash2,
  TriangleAlert,
  Unplug,
} from "lucide-react";
import { classNames } from "@/components/class-names";

type Look = { word: string; Icon: LucideIcon; tone: string; isMoving?: boolean };

/** The fixed set: always icon and word, never colour alone. */
const LOOKS = {
  active: { word: "Active", Icon: Check, tone: "bg-ok-soft text-ok" },
  syncing: { word: "Syncing", Icon: LoaderCircle, tone: "bg-accent-soft text-accent", isMoving: true },
  paused: { word: "Paused", Icon: Pause, tone: "bg-quiet-soft text-ink-muted" },
  rate_limited: { word: "Rate limited", Icon: Clock, tone: "bg-warn-soft text-warn" },
  failing: { word: "Failing", Icon: TriangleAlert, tone: "bg-bad-soft text-bad" },
  disabled: { word: "Disabled", Icon: Ban, tone: "bg-quiet-soft text-ink-muted" },
  needs_reconnect: { word: "Needs reconnect", Icon: Plug, tone: "bg-plug-soft text-plug" },
  deleting: { word: "Deleting", Icon: Trash2, tone: "bg-quiet-soft text-ink-muted" },
  waiting: { word: "Waiting for a push", Icon: CircleDashed, tone: "bg-quiet-soft text-ink-muted" },
  queued: { word: "Queued", Icon: CircleDashed, tone: "bg-accent-soft text-accent" },
  running: { word: "Running", Icon: LoaderCircle, tone: "bg-accent-soft text-accent", isMoving: true },
  succeeded: { word: "Succeeded", Icon: Check, tone: "bg-ok-soft text-ok" },
  partial: { word: "Partial", Icon: Timer, tone: "bg-warn-soft text-warn" },
  failed: { word: "Failed", Icon: TriangleAlert, tone: "bg-bad-soft text-bad" },
  abandoned: { word: "Abandoned", Icon: Unplug, tone: "bg-bad-soft text-bad" },
  cancelled: { word: "Cancelled", Icon: CircleX, tone: "bg-quiet-soft text-ink-muted" },
  tombstone: { word: "Deleted upstream", Icon: Trash2, tone: "bg-quiet-soft text-ink-muted" },
  following: { word: "Following", Icon: Check, tone: "bg-ok-soft text-ok" },
  first_walk: { word: "First walk", Icon: CircleDashed, tone: "bg-accent-soft text-accent" },
  expiring: { word: "Expires soon", Icon: TriangleAlert, tone: "bg-warn-soft text-warn" },
  restart: { word: "Must start again", Icon: TriangleAlert, tone: "bg-bad-soft text-bad" },
  upsert: { word: "Changed", Icon: FilePen, tone: "bg-ok-soft text-ok" },
  delete: { word: "Deleted", Icon: Trash2, tone: "bg-bad-soft text-bad" },
  delivered: { word: "Delivered", Icon: Check, tone: "bg-ok-soft text-ok" },
  sending: { word: "Sending", Icon: LoaderCircle, tone: "bg-accent-soft text-accent", isMoving: true },
  retrying: { word: "Will retry", Icon: Timer, tone: "bg-warn-soft text-warn" },
  revoked: { word: "Revoked", Icon: Ban, tone: "bg-quiet-soft text-ink-muted" },
  expired: { word: "Expired", Icon: Clock, tone: "bg-warn-soft text-warn" },
} as const satisfies Record<string, Look>;

export type BadgeStatus = keyof typeof LOOKS;

export function StatusBadge({ status, title }: { status: BadgeStatus; title?: string }) {
  const look: Look = LOOKS[status];
  return (
    <span
      title={title}
      className={classNames(
        "inline-flex h-5.5 shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap",
        look.tone,
      )}
    >
      <look.Icon
        aria-hidden
        size={12}
        strokeWidth={2.25}
        className={look.isMoving ? "animate-turn" : undefined}
      />
      {look.word}
    </span>
  );
}

/** A feed whose run is under way shows that first. */
export function feedBadge(feed: { status: BadgeStatus; activeRunId: string | null }): BadgeStatus {
  return feed.activeRunId ? "syncing" : feed.status;
}
