import type { ChangeFeedStatus } from "@/app/(dashboard)/_lib/types";
import { countOf, formatCount } from "@/components/numbers";

/** Each place of the change feed, said for a person; what differs from the usual says why. */
export function describeStatus(status: ChangeFeedStatus) {
  const behind = Number(BigInt(status.head) - BigInt(status.safePoint));
  const isHeldBack = behind > 0;
  const isNearlyFull = status.waiters >= status.maxWaiters * 0.9;
  const isEmpty = status.head === "0";
  return {
    isHeldBack,
    isNearlyFull,
    head: isEmpty ? "Nothing was stored yet." : "The place of the latest stored change. It only grows.",
    safePoint: isHeldBack
      ? `${formatCount(behind)} behind the head: a writer that began earlier is still open, and what it stores must come first. The rest follows when it ends; one that stands idle is ended after 30 seconds.`
      : isEmpty
        ? "Followers are sent everything up to here."
        : "Followers are sent everything up to here. It is the head: no writer holds anything back.",
    horizon:
      status.horizon === "0"
        ? `No delete was forgotten yet: every cursor is good. Deletes are told for ${days(status.retentionDays)}.`
        : `Deletes up to here are forgotten, after ${days(status.retentionDays)}. A cursor below it expired; its follower starts again.`,
    epoch: "Changes only when the store was put back to an earlier state. Then every follower starts again.",
    waiters: isNearlyFull
      ? `Requests that wait for the next change, of ${formatCount(status.maxWaiters)} that may. Beyond it they are refused until others end.`
      : "Requests that wait for the next change on this server, the tail below included.",
  };
}

export function days(count: number): string {
  return countOf(count, "day");
}
