"use client";

import { useMutation } from "@tanstack/react-query";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

type Act = "sync" | "pause" | "resume";
type Named = { id: string; name: string };

const DONE: Record<Act, string> = { sync: "Sync started", pause: "Paused", resume: "Resumed" };
const FAILED: Record<Act, string> = {
  sync: "Sync did not start",
  pause: "Not paused",
  resume: "Not resumed",
};
const OPPOSITE = { pause: "resume", resume: "pause" } as const;

/** Syncs, pauses or resumes one source; says what came of it and offers the way back. */
export function useSourceActions() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const sync = useMutation(trpc.sources.sync.mutationOptions());
  const pause = useMutation(trpc.sources.pause.mutationOptions());
  const resume = useMutation(trpc.sources.resume.mutationOptions());

  async function run(act: Act, source: Named, isUndo = false): Promise<void> {
    const input = { sourceId: source.id };
    try {
      if (act === "sync") await sync.mutateAsync(input);
      else if (act === "pause") await pause.mutateAsync(input);
      else await resume.mutateAsync(input);
      toast.plain(`${DONE[act]}: ${source.name}`, {
        action:
          act === "sync" || isUndo
            ? undefined
            : { label: "Undo", onClick: () => void run(OPPOSITE[act], source, true) },
      });
    } catch (error) {
      toastError(error, `${FAILED[act]}, ${source.name}`);
    }
    await refresh();
  }

  return {
    run: (act: Act, source: Named) => run(act, source),
    isPending: sync.isPending || pause.isPending || resume.isPending,
  };
}
