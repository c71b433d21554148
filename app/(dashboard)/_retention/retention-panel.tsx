"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { DaysForm } from "@/app/(dashboard)/_retention/days-form";
import { days as daysOf } from "@/app/(dashboard)/changes/status-words";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

const ShorterQuestion = dynamic(() =>
  import("@/app/(dashboard)/_retention/shorter-question").then((module) => module.ShorterQuestion),
);

/** How long deletes are told; admins change it. */
export function RetentionPanel() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const viewer = useViewer();
  const { data: status } = useQuery(trpc.changes.status.queryOptions());
  const save = useMutation(
    trpc.workspace.updateSettings.mutationOptions({
      async onSuccess({ retentionDays }) {
        toast.success(`Deletes are kept for ${daysOf(retentionDays)}`);
        await queryClient.invalidateQueries(trpc.changes.pathFilter());
      },
    }),
  );
  const kept = status?.retentionDays;
  return (
    <Panel title="How long deletes are kept">
      <div className="space-y-3 text-sm">
        <p className="text-ink-muted">
          A deleted document leaves a <Explain term="tombstone">tombstone</Explain>, so that followers are
          told. Whoever comes back within this time misses nothing; whoever was away for longer starts again
          from nothing.
        </p>
        {kept === undefined ? (
          <Skeleton className="h-8 w-32" />
        ) : viewer.canAdmin ? (
          <DaysForm
            key={kept} // what somebody else saved is what stands in the field next
            kept={kept}
            onSave={(retentionDays) => save.mutateAsync({ retentionDays })}
            question={(shorter) => <ShorterQuestion {...shorter} />}
          />
        ) : (
          <p>
            Deletes are kept for <strong className="font-medium">{daysOf(kept)}</strong>. Admins can change
            it.
          </p>
        )}
      </div>
    </Panel>
  );
}
