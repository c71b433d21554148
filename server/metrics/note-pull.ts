import type { Place, ReadPage } from "@/server/changes/read-changes";
import { AppError } from "@/server/errors";
import { metrics } from "./metrics";

/** In a change as it is sent. A text that holds this has its quotes escaped, so the first is the member. */
const CHANGED_AT = '"changedAt":"';
/** The longest an instant is spelled. */
const INSTANT_LENGTH = 40;

/**
 * Records the age of the cursor that a pull presents: how long ago the oldest change happened that it does
 * not have yet, 0 when it has all. Of its filter, and of documents that changed again their latest change.
 * That is what brings a cursor nearer to its expiry, and the page knows it: no cursor is looked up.
 *
 * Not for those who are on their first walk: what they lack is old because they have just begun.
 *
 * @param page The first look's, before anything is waited for.
 */
export function notePull(place: Place, page: Pick<ReadPage, "changes">, now = Date.now()): void {
  const { pulls, cursorAge } = metrics();
  const isFirstWalk = place.at === "cursor" && place.snapshotBound !== null;
  pulls.inc({ from: isFirstWalk ? "first_walk" : place.at });
  if (place.at === "cursor" && !isFirstWalk) cursorAge.observe(ageOf(page.changes, now));
}

/** Seconds. The database wrote the instant, this process compares: their clocks may differ a little. */
function ageOf(changes: string | null, now: number): number {
  const at = changes?.indexOf(CHANGED_AT) ?? -1;
  if (!changes || at === -1) return 0;
  const start = at + CHANGED_AT.length;
  const instant = changes.slice(start, start + INSTANT_LENGTH);
  const changedAt = Date.parse(instant.slice(0, instant.indexOf('"')));
  return Number.isNaN(changedAt) ? 0 : Math.max(0, (now - changedAt) / 1000);
}

/** Counts a pull that was refused because its cursor has expired; anything else is not this one's to count. */
export function noteIfExpired(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "cursor_expired") return;
  metrics().cursorsExpired.inc({ reason: String(error.info.extra?.reason ?? "") });
}
