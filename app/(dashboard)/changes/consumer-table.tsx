"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { ListTable } from "@/app/(dashboard)/_components/list-table";
import type { ConsumerRow } from "@/app/(dashboard)/_lib/types";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { consumerColumns } from "@/app/(dashboard)/changes/consumer-columns";
import { ConsumerWarnings } from "@/app/(dashboard)/changes/consumer-warnings";
import { WATCHING_MS } from "@/app/(dashboard)/changes/watching";
import { ButtonLink } from "@/components/button";
import { useIsBrowser, useNow } from "@/components/clock";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { EmptyState } from "@/components/empty-state";
import { toast } from "@/components/toast";
import { CONSUMER_SORTS } from "@/server/changes/choices";
import { useTRPC } from "@/trpc/client";

/** Everyone who follows under a name: how far behind, and how far from having to start again. */
export function ConsumerTable() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const now = useNow();
  const zone = useIsBrowser() ? undefined : "UTC";
  const table = useTableState({}, CONSUMER_SORTS);
  const [forgetting, setForgetting] = useState<ConsumerRow | null>(null);
  const list = useQuery(
    trpc.changes.consumers.queryOptions(
      { limit: 50, ...table.input },
      { refetchInterval: WATCHING_MS, placeholderData: keepPreviousData },
    ),
  );
  const { data: status } = useQuery(trpc.changes.status.queryOptions());
  const retentionDays = status?.retentionDays ?? 0;
  return (
    <section aria-labelledby="consumers-heading">
      <h2 id="consumers-heading" className="mb-2 text-lg font-semibold">
        <Explain term="consumer">Consumers</Explain>
      </h2>
      <ConsumerWarnings consumers={list.data?.items ?? []} now={now} retentionDays={retentionDays} />
      <ListTable
        name="consumers"
        caption="Consumers"
        what="The consumers"
        query={list}
        state={table}
        columns={consumerColumns(now, retentionDays, zone, viewer.canWrite ? setForgetting : null)}
        rowKey={(row) => row.name}
        rowLabel={(row) => row.name}
        empty={
          <EmptyState
            icon={<Users aria-hidden size={26} />}
            title="Nobody follows under a name yet"
            action={<ButtonLink href="#try-it">Try it</ButtonLink>}
          >
            A program that adds <code className="text-xs">consumer=its-name</code> to its requests is shown
            here: how far behind it is, and whether it is about to lose its place.
          </EmptyState>
        }
        noMatch="The consumers of this page were forgotten."
      />
      <ForgetDialog consumer={forgetting} onClose={() => setForgetting(null)} />
    </section>
  );
}

function ForgetDialog({ consumer, onClose }: { consumer: ConsumerRow | null; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const forget = useMutation(
    trpc.changes.deleteConsumer.mutationOptions({
      async onSuccess(_, { name }) {
        onClose();
        toast.success(`Forgotten: ${name}`);
        await queryClient.invalidateQueries(trpc.changes.consumers.pathFilter());
      },
    }),
  );
  return (
    <ConfirmDialog
      open={consumer !== null}
      onOpenChange={(open) => {
        if (open) return;
        forget.reset();
        onClose();
      }}
      title={`Forget ${consumer?.name ?? ""}?`}
      effect={
        <p>
          Takes it off this list. Nothing is deleted, and its cursor stays as good as it is: when the program
          asks again under this name, it is back. To keep it out, revoke its token under API.
        </p>
      }
      actionLabel={`Forget ${consumer?.name ?? ""}`}
      pendingLabel="Forgetting"
      isPending={forget.isPending}
      error={<CallError error={forget.error} what="The consumer is still listed" />}
      onConfirm={() => consumer && forget.mutate({ name: consumer.name })}
    />
  );
}
