"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { countOf } from "@/components/numbers";
import { useTRPC } from "@/trpc/client";

type Act = "sync" | "pause" | "resume";
type Named = { id: string; name: string };

const DONE: Record<Act, string> = { sync: "Sync started", pause: "Paused", resume: "Resumed" };
const FAILED: Record<Act, string> = {
  sync: "Sync did not start",
  pause: "Not paused",
  resume: "Not resumed",
};

/** Sync, pause or resume one source or several; the outcome is said once, failures each by name. */
export function useSourceActions() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const sync = useMutation(trpc.sources.sync.mutationOptions());
  const pause = useMutation(trpc.sources.pause.mutationOptions());
  const resume = useMutation(trpc.sources.resume.mutationOptions());

  async function run(act: Act, sources: Named[]) {
    const call = { sync, pause, resume }[act];
    const outcomes = await Promise.allSettled(
      sources.map((source) =>
        (call.mutateAsync as (input: { sourceId: string }) => Promise<unknown>)({ sourceId: source.id }),
      ),
    );
    let done = 0;
    outcomes.forEach((outcome, index) => {
      if (outcome.status === "fulfilled") done += 1;
      else toastError(outcome.reason, `${FAILED[act]}, ${sources[index]?.name ?? "source"}`);
    });
    if (done > 0) {
      toast(
        `${DONE[act]}: ${done === 1 && sources.length === 1 ? sources[0]?.name : countOf(done, "source")}`,
      );
    }
    await refresh();
  }

  return { run, isPending: sync.isPending || pause.isPending || resume.isPending };
}
