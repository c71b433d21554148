"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { readDays } from "@/app/(dashboard)/changes/read-days";
import { days as daysOf } from "@/app/(dashboard)/changes/status-words";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { toast } from "@/components/toast";
import { MAX_RETENTION_DAYS } from "@/server/workspaces/choices";
import { useTRPC } from "@/trpc/client";

const ShorterQuestion = dynamic(() =>
  import("@/app/(dashboard)/changes/shorter-question").then((module) => module.ShorterQuestion),
);

/** How long deletes are told; admins change it. */
export function RetentionPanel() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const { data: status } = useQuery(trpc.changes.status.queryOptions());
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
          // What somebody else saved is what stands in the field next.
          <RetentionForm key={kept} kept={kept} />
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

function RetentionForm({ kept }: { kept: number }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [text, setText] = useState(String(kept));
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const save = useMutation(
    trpc.workspace.updateSettings.mutationOptions({
      async onSuccess({ retentionDays }) {
        toast.success(`Deletes are kept for ${daysOf(retentionDays)}`);
        setAsked(null);
        await queryClient.invalidateQueries(trpc.changes.pathFilter());
      },
    }),
  );

  function submit() {
    const read = readDays(text);
    setProblem(read.problem);
    if (read.days === null || read.days === kept) return;
    if (read.days < kept) setAsked(read.days);
    else save.mutate({ retentionDays: read.days });
  }

  return (
    <form
      noValidate // our own words say what is wrong
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="space-y-3"
    >
      <Field label="Days" hint={`1 to ${MAX_RETENTION_DAYS}`} error={problem}>
        <Input
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
          inputMode="numeric"
          autoComplete="off"
          className="max-w-28"
        />
      </Field>
      <Button
        type="submit"
        disabled={text.trim() === String(kept)}
        pendingLabel={save.isPending && asked === null && "Saving"}
      >
        Save
      </Button>
      {asked === null && <CallError error={save.error} what="The time was not changed" />}
      {asked !== null && (
        <ShorterQuestion
          kept={kept}
          days={asked}
          isPending={save.isPending}
          error={save.error}
          onClose={() => {
            save.reset();
            setAsked(null);
          }}
          onConfirm={() => save.mutate({ retentionDays: asked })}
        />
      )}
    </form>
  );
}
