"use client";

import { useMutation } from "@tanstack/react-query";
import { lookInWords } from "@/app/(dashboard)/_lib/look-words";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

/** Looks for new feeds right now and says what came of it. */
export function useLookForFeeds(sourceId: string): { look(): void; isLooking: boolean } {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const look = useMutation(
    trpc.sources.lookForFeeds.mutationOptions({
      onSuccess: (result) => toast.plain(lookInWords(result), { duration: 10_000 }),
      onError: (error) => toastError(error, "New feeds could not be looked for"),
      onSettled: refresh,
    }),
  );
  return { look: () => look.mutate({ sourceId }), isLooking: look.isPending };
}
