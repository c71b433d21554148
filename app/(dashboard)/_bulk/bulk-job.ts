import type { Outputs } from "@/app/(dashboard)/_lib/types";

export type BulkResult = Outputs["feeds"]["bulk"];
export type BulkItem = { id: string; name: string };

/** An act on many things: its words, and how a part of them is done. */
export type BulkAct = {
  /** "Pausing" */
  doing: string;
  /** "Paused" */
  done: string;
  /** "feed" */
  noun: string;
  items: readonly BulkItem[];
  run(ids: string[]): Promise<BulkResult>;
  /** What puts back the things that the act changed; absent where that is not safe. */
  undo?: Omit<BulkAct, "items" | "noun" | "undo"> & {
    /** May this one be put back? `before` is the state that the act left. */
    isSafe?(before: string | null): boolean;
  };
};

export type BulkFailure = BulkItem & { message: string };

export type BulkJob = {
  id: number;
  act: BulkAct;
  state: "running" | "stopping" | "ended";
  /** Tried so far. */
  tried: number;
  changed: BulkItem[];
  failures: BulkFailure[];
  /** Why it ended before the last one; null when it did not. */
  stoppedBy: string | null;
};

/** Few enough that progress is seen and a stop takes hold, many enough that it goes fast. */
export const CHUNK = 10;

/**
 * Does an act on all its items, part by part, and tells of each part.
 *
 * @param isStopped asked between the parts.
 */
export async function runBulk(
  act: BulkAct,
  isStopped: () => boolean,
  onProgress: (progress: Pick<BulkJob, "tried" | "changed" | "failures">) => void,
): Promise<Pick<BulkJob, "stoppedBy">> {
  const names = new Map(act.items.map((item) => [item.id, item.name]));
  const changed: BulkItem[] = [];
  const failures: BulkFailure[] = [];
  for (let start = 0; start < act.items.length; start += CHUNK) {
    if (isStopped()) return { stoppedBy: "You stopped it." };
    const part = act.items.slice(start, start + CHUNK);
    try {
      const { results } = await act.run(part.map((item) => item.id));
      for (const result of results) {
        const item = { id: result.id, name: names.get(result.id) ?? result.id };
        if (!result.ok) failures.push({ ...item, message: result.message });
        else if (result.changed && (act.undo?.isSafe?.(result.before) ?? true)) changed.push(item);
      }
    } catch (error) {
      return { stoppedBy: error instanceof Error ? error.message : "Something went wrong." };
    }
    onProgress({ tried: start + part.length, changed: [...changed], failures: [...failures] });
  }
  return { stoppedBy: null };
}
