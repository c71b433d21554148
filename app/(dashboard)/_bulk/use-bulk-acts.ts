"use client";

import type { BulkAct, BulkItem, BulkResult } from "@/app/(dashboard)/_bulk/bulk-job";
import { useBulk } from "@/app/(dashboard)/_bulk/bulk-provider";
import { useTRPCClient } from "@/trpc/client";

export type ManyAct = "pause" | "resume" | "sync" | "delete";

const WORDS: Record<ManyAct, { doing: string; done: string }> = {
  pause: { doing: "Pausing", done: "Paused" },
  resume: { doing: "Resuming", done: "Resumed" },
  sync: { doing: "Starting syncs of", done: "Started syncs of" },
  delete: { doing: "Deleting", done: "Deleted" },
};

/** What is put back by the opposite. A feed that was disabled cannot be made so again: resuming it stays. */
function withUndo(
  act: ManyAct,
  call: (act: ManyAct, ids: string[]) => Promise<BulkResult>,
): Omit<BulkAct, "items" | "noun"> {
  const run = (ids: string[]) => call(act, ids);
  const base = { ...WORDS[act], run };
  if (act === "pause") {
    return { ...base, undo: { ...WORDS.resume, run: (ids) => call("resume", ids) } };
  }
  if (act === "resume") {
    const isSafe = (before: string | null) => before === "paused";
    return { ...base, undo: { ...WORDS.pause, run: (ids) => call("pause", ids), isSafe } };
  }
  return base;
}

export function useFeedBulk(): (act: ManyAct, feeds: readonly BulkItem[]) => void {
  const client = useTRPCClient();
  const start = useBulk();
  return (act, items) =>
    start({
      ...withUndo(act, (action, feedIds) => client.feeds.bulk.mutate({ action, feedIds })),
      noun: "feed",
      items,
    });
}

export function useSourceBulk(): (act: ManyAct, sources: readonly BulkItem[]) => void {
  const client = useTRPCClient();
  const start = useBulk();
  return (act, items) =>
    start({
      ...withUndo(act, (action, sourceIds) => client.sources.bulk.mutate({ action, sourceIds })),
      noun: "source",
      items,
    });
}
