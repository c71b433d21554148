import { LoaderCircle, type LucideIcon, Pause, Radio, Unplug, WifiOff } from "lucide-react";
import { classNames } from "@/components/class-names";
import { RelativeTime } from "@/components/relative-time";
import type { KeptState } from "@/trpc/keep-subscription";

type Look = { word: string; Icon: LucideIcon; tone: string; isMoving?: boolean };

const LOOKS = {
  connecting: {
    word: "Connecting",
    Icon: LoaderCircle,
    tone: "bg-quiet-soft text-ink-muted",
    isMoving: true,
  },
  live: { word: "Live", Icon: Radio, tone: "bg-ok-soft text-ok" },
  paused: { word: "Paused", Icon: Pause, tone: "bg-quiet-soft text-ink-muted" },
  lost: { word: "Connection lost", Icon: WifiOff, tone: "bg-warn-soft text-warn" },
  ended: { word: "Ended", Icon: Unplug, tone: "bg-bad-soft text-bad" },
} as const satisfies Record<string, Look>;

/** Whether changes come by themselves; since when they do not, otherwise. */
export function TailMark({ connection, isPaused }: { connection: KeptState; isPaused: boolean }) {
  const { state } = connection;
  const look: Look = LOOKS[state === "live" && isPaused ? "paused" : state];
  return (
    <span
      role="status"
      className={classNames(
        "inline-flex h-5.5 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap",
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
      {connection.state === "lost" && (
        <>
          <RelativeTime at={connection.since} />
          <span className="sr-only">. It is tried again; the latest changes are asked for meanwhile.</span>
        </>
      )}
    </span>
  );
}
