"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { DaysForm } from "@/app/(dashboard)/_retention/days-form";
import { RetentionPanel } from "@/app/(dashboard)/_retention/retention-panel";
import { days as daysOf } from "@/app/(dashboard)/changes/status-words";
import { NameForm } from "@/app/(dashboard)/settings/name-form";
import { SettingsHeader } from "@/app/(dashboard)/settings/settings-header";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { toast } from "@/components/toast";
import { useTRPC, useTRPCClient } from "@/trpc/client";

/** What the workspace is called and for how long it keeps what it no longer needs. */
export function WorkspaceView() {
  return (
    <>
      <SettingsHeader />
      <div className="grid items-start gap-4 lg:grid-cols-3 [&>*]:min-w-0">
        <NamePanel />
        <RunRetentionPanel />
        <RetentionPanel />
      </div>
    </>
  );
}

function NamePanel() {
  const client = useTRPCClient();
  const { role, workspaceName } = useViewer();
  return (
    <Panel title="Name">
      <div className="space-y-3 text-sm">
        <p className="text-ink-muted">
          Stands at the top of every page. Programs know the workspace by their token and need not hear of it.
        </p>
        {role === "owner" ? (
          <NameForm
            key={workspaceName}
            label="Workspace"
            name={workspaceName}
            rename={(name) => client.workspace.rename.mutate({ name })}
            done={(name) => `The workspace is called ${name}`}
          />
        ) : (
          <p>
            It is called <strong className="font-medium">{workspaceName}</strong>. Owners can change it.
          </p>
        )}
      </div>
    </Panel>
  );
}

function RunRetentionPanel() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const viewer = useViewer();
  const settings = useQuery(trpc.workspace.settings.queryOptions());
  const save = useMutation(
    trpc.workspace.updateSettings.mutationOptions({
      async onSuccess({ runRetentionDays }) {
        toast.success(`Runs are kept for ${daysOf(runRetentionDays)}`);
        await queryClient.invalidateQueries(trpc.workspace.pathFilter());
      },
    }),
  );
  const kept = settings.data?.runRetentionDays;
  return (
    <Panel title="How long runs are kept">
      <div className="space-y-3 text-sm">
        <StaleMark query={settings} />
        <p className="text-ink-muted">
          Runs with their events, moves of cursors, rejected documents that did not come again, and decided
          held deletes. Documents do not depend on it.
        </p>
        {!settings.data && settings.error && (
          <CallError
            error={settings.error}
            what="It could not be read"
            onRetry={() => void settings.refetch()}
          />
        )}
        {settings.isPending && <Skeleton className="h-8 w-32" />}
        {kept !== undefined &&
          (viewer.canAdmin ? (
            <DaysForm
              key={kept}
              kept={kept}
              onSave={(runRetentionDays) => save.mutateAsync({ runRetentionDays })}
              question={({ days, isPending, error, onClose, onConfirm }) => (
                <ConfirmDialog
                  open
                  onOpenChange={(open) => !open && onClose()}
                  title={`Keep runs for ${daysOf(days)} instead of ${kept}?`}
                  effect={
                    <p>
                      Runs that ended more than {daysOf(days)} ago are deleted with the next maintenance, with
                      all that is told beside them, and do not come back with a longer time.
                    </p>
                  }
                  actionLabel={`Keep for ${daysOf(days)}`}
                  pendingLabel="Saving"
                  isPending={isPending}
                  error={<CallError error={error} what="The time was not changed" />}
                  onConfirm={onConfirm}
                />
              )}
            />
          ) : (
            <p>
              Runs are kept for <strong className="font-medium">{daysOf(kept)}</strong>. Admins can change it.
            </p>
          ))}
      </div>
    </Panel>
  );
}
