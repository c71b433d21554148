"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Outputs } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import type { Item } from "@/app/(dashboard)/sources/import/outline-tree";
import { useTRPC } from "@/trpc/client";

export type Result = Outputs["opml"]["import"]["results"][number];

/** Small, so that the bar moves; importing twice adds nothing, so a batch may be sent again. */
const BATCH = 10;

/**
 * Imports the items batch after batch, beginning at once. Leaving the page ends it after the batch
 * that is under way. A call that fails stops it: `resume` goes on with that batch.
 */
export function useImport(items: readonly Item[]) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [results, setResults] = useState<Result[]>([]);
  const send = useMutation(trpc.opml.import.mutationOptions());
  const next = useRef(0);
  const run = useRef(0);

  async function goOn() {
    const own = ++run.current;
    while (next.current < items.length && run.current === own) {
      const from = next.current;
      const batch = items.slice(from, from + BATCH);
      let answer: Outputs["opml"]["import"];
      try {
        answer = await send.mutateAsync({
          feeds: batch.map(({ url, title, groups }) => ({ url, title, groups })),
        });
      } catch {
        return; // `send.error` says why
      }
      // Two runs may have sent the same batch (React starts effects twice in development).
      if (run.current !== own) return;
      next.current = from + batch.length;
      setResults((known) => [
        ...known,
        ...answer.results.map((result) => ({ ...result, index: from + result.index })),
      ]);
    }
    if (run.current === own) void refresh();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once; what it reads is in refs
  useEffect(() => {
    void goOn();
    return () => {
      run.current++;
    };
  }, []);

  return {
    results,
    isDone: results.length >= items.length,
    error: send.error,
    resume: () => void goOn(),
  };
}
