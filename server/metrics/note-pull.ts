import { type ChangeRow, changedAtOf } from "@/server/changes/change-json";
import type { Place, ReadPage } from "@/server/changes/read-changes";
import { AppError } from "@/server/errors";
import { metrics } from "./metrics";

/**
 * Records the age of the cursor that a pull presents: how long ago the oldest change happened that it does
 * not have yet, 0 when it has all. Of its filter, and of documents that changed again their latest change.
 * That is what brings a cursor nearer to its expiry, and the page knows it: no cursor is looked up.
 *
 * Not for those who are on their first walk: what they lack is old because they have just begun.
 *
 * @param page The first look's, before anything is waited for.
 */
export function notePull(place: Place, page: Pick<ReadPage, "rows">, now = Date.now()): void {
  const { pulls, cursorAge } = metrics();
  const isFirstWalk = place.at === "cursor" && place.snapshotBound !== null;
  pulls.inc({ from: isFirstWalk ? "first_walk" : place.at });
  if (place.at === "cursor" && !isFirstWalk) cursorAge.observe(ageOf(page.rows, now));
}

/** Seconds. The database wrote the instant, this process compares: their clocks may differ a little. */
function ageOf([oldest]: readonly ChangeRow[], now: number): number {
  return oldest ? Math.max(0, (now - changedAtOf(oldest)) / 1000) : 0;
}

/** Counts a pull that was refused because its cursor has expired; anything else is not this one's to count. */
export function noteIfExpired(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "cursor_expired") return;
  metrics().cursorsExpired.inc({ reason: String(error.info.extra?.reason ?? "") });
}
