"use client";

import { useMutation } from "@tanstack/react-query";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

/** Acts of the palette. It closes at once, so they answer where its reader is: in a toast. */
export function usePaletteActs() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const feed = useMutation(trpc.feeds.sync.mutationOptions());
  const source = useMutation(trpc.sources.sync.mutationOptions());

  async function run(act: Promise<unknown>) {
    try {
      await act;
      toast.success("Sync started");
      await refresh();
    } catch (error) {
      toastError(error, "The sync was not started");
    }
  }

  return {
    syncFeed: (feedId: string) => void run(feed.mutateAsync({ feedId })),
    syncSource: (sourceId: string) => void run(source.mutateAsync({ sourceId })),
  };
}
