import { MAX_RETENTION_DAYS } from "@/server/workspaces/choices";

/** What was typed, as a number of days that the server takes, or what is wrong with it. */
export function readDays(text: string): { days: number; problem: null } | { days: null; problem: string } {
  const typed = text.trim();
  const days = Number(typed);
  if (typed === "") return refuse("Say for how many days.");
  if (!Number.isFinite(days)) return refuse(`“${typed}” is not a number of days.`);
  if (!Number.isInteger(days)) return refuse("Whole days only.");
  if (days < 1) return refuse("At least 1 day.");
  if (days > MAX_RETENTION_DAYS) return refuse(`At most ${MAX_RETENTION_DAYS} days, which is ten years.`);
  return { days, problem: null };
}

function refuse(problem: string) {
  return { days: null, problem };
}
