import type { Run } from "@/app/(dashboard)/_lib/types";
import { countOf } from "@/components/numbers";

export const TRIGGER_WORDS: Record<Run["trigger"], string> = {
  schedule: "Schedule",
  manual: "Person",
  api: "API",
  webhook: "Webhook",
  launch: "Start of the server",
};

export const EXECUTOR_WORDS: Record<Run["executor"], string> = { cloud: "Cloud", agent: "Agent", api: "API" };

export const STATUS_WORDS: Record<Run["status"], string> = {
  queued: "Queued",
  running: "Running",
  succeeded: "Succeeded",
  partial: "Partial",
  failed: "Failed",
  abandoned: "Abandoned",
  cancelled: "Cancelled",
};

type Counts = Pick<Run, "created" | "updated" | "deleted" | "rejected">;

/** "3 new, 1 updated", or "nothing new". */
export function changesInWords(counts: Counts): string {
  const parts = [
    counts.created > 0 && `${counts.created} new`,
    counts.updated > 0 && `${counts.updated} updated`,
    counts.deleted > 0 && `${counts.deleted} deleted`,
    counts.rejected > 0 && `${counts.rejected} rejected`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "nothing new";
}

export function actorInWords(actor: Run["actor"]): string {
  if (actor.type === "scheduler") return "the schedule";
  if (actor.type === "cli") return "the command line";
  return actor.type === "token" ? `token “${actor.name}”` : actor.name;
}

export function isActiveRun(run: Pick<Run, "status">): boolean {
  return run.status === "queued" || run.status === "running";
}

/** How long it took, or has taken until `now`; null before it started. */
export function runMs(run: Pick<Run, "startedAt" | "finishedAt">, now: number): number | null {
  if (!run.startedAt) return null;
  const end = run.finishedAt ? new Date(run.finishedAt).getTime() : now;
  return Math.max(0, end - new Date(run.startedAt).getTime());
}

/** What a whole run did, in one sentence. */
export function runInWords(run: Run): string {
  const sent = run.created + run.updated + run.skipped + run.deleted + run.rejected;
  if (run.status === "queued") return "Waits for its turn.";
  if (run.status === "running")
    return `Under way: ${countOf(sent, "document")} read so far, ${changesInWords(run)}.`;
  if (sent === 0 && run.error) return "Nothing was read.";
  return `Read ${countOf(sent, "document")}: ${changesInWords(run)}.`;
}
