import type { BadgeStatus } from "@/app/(dashboard)/_components/status-badge";
import type { ConsumerRow } from "@/app/(dashboard)/_lib/types";
import { countOf, formatCount } from "@/components/numbers";
import { formatDuration } from "@/components/time-words";
import { MAX_COUNTED_BEHIND } from "@/server/changes/choices";

const DAY_MS = 86_400_000;

export type ConsumerState = Extract<BadgeStatus, "following" | "first_walk" | "expiring" | "restart">;

/** A consumer is warned about in the last quarter of the time that deletes are kept. */
export function consumerState(consumer: ConsumerRow, now: number, retentionDays: number): ConsumerState {
  if (consumer.expiredBy) return "restart";
  const left = timeLeft(consumer, now);
  if (left !== null && left < (retentionDays * DAY_MS) / 4) return "expiring";
  return consumer.isFirstWalk ? "first_walk" : "following";
}

/** Milliseconds until its cursor expires; null while there is nothing it could miss. */
export function timeLeft({ expiresAt }: ConsumerRow, now: number): number | null {
  return expiresAt === null ? null : Math.max(0, new Date(expiresAt).getTime() - now);
}

/** Changes it lacks: "none", "4", "500 or more". */
export function behindInWords({ behind }: ConsumerRow): string {
  if (behind === null) return "–";
  if (behind === 0) return "none";
  return behind < MAX_COUNTED_BEHIND ? formatCount(behind) : `${formatCount(behind)} or more`;
}

/** How long it has lacked the first of them: "3 h 5 min". */
export function behindFor({ behindSince }: ConsumerRow, now: number): string | null {
  if (behindSince === null) return null;
  const ms = now - new Date(behindSince).getTime();
  return ms < 1000 ? "under 1 s" : formatDuration(ms);
}

/** How far it is from having to start again. */
export function horizonInWords(consumer: ConsumerRow, now: number): string {
  if (consumer.expiredBy) return "passed";
  const left = timeLeft(consumer, now);
  if (left === null) return "nothing to miss";
  if (left === 0) return "any moment";
  return `${left >= 2 * DAY_MS ? countOf(Math.floor(left / DAY_MS), "day") : formatDuration(left)} left`;
}

/** What it follows. */
export function filterInWords({ sourceId, feedId, sourceName, feedName }: ConsumerRow): string {
  if (feedId) return feedName ?? "A deleted feed";
  if (sourceId) return sourceName ?? "A deleted source";
  return "Everything";
}

/** "a", "a and b", "a, b, c and 4 more". */
export function nameSome(names: string[]): string {
  const shown = names.slice(0, 3);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${formatCount(rest)} more` : (shown.pop() ?? "");
  return shown.length > 0 ? `${shown.join(", ")} and ${last}` : last;
}
