"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTRPC } from "@/trpc/client";

/** After an act, everything it may have touched is read again. */
export function useRefresh(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.sources.pathFilter()),
      queryClient.invalidateQueries(trpc.feeds.pathFilter()),
      queryClient.invalidateQueries(trpc.runs.pathFilter()),
      queryClient.invalidateQueries(trpc.documents.pathFilter()),
      queryClient.invalidateQueries(trpc.overview.pathFilter()),
    ]);
  }, [trpc, queryClient]);
}
