/** "40 seconds", "5 minutes", "3 hours", "2 days": one unit, rounded, for sentences. */
export function describeDuration(seconds: number): string {
  if (seconds < 90) return plural(Math.max(1, Math.round(seconds)), "second");
  if (seconds < 90 * 60) return plural(Math.round(seconds / 60), "minute");
  if (seconds < 36 * 60 * 60) return plural(Math.round(seconds / 3600), "hour");
  return plural(Math.round(seconds / 86_400), "day");
}

function plural(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
