"use client";

import { useQuery } from "@tanstack/react-query";
import { Webhook as WebhookIcon } from "lucide-react";
import { CallError } from "@/app/_shared/call-error";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import type { Webhook } from "@/app/(dashboard)/_lib/types";
import { shortAddress, webhookBadge } from "@/app/(dashboard)/webhooks/webhook-words";
import { Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { RelativeTimeOrNever } from "@/components/relative-time";
import { TableSkeleton } from "@/components/skeleton";
import type { Column } from "@/components/table-column";
import { useTRPC } from "@/trpc/client";

export function WebhookTable({ onCreate }: { onCreate(): void }) {
  const trpc = useTRPC();
  const list = useQuery(trpc.webhooks.list.queryOptions());
  if (list.isPending) return <TableSkeleton rows={3} columns={4} />;
  if (!list.data) {
    return (
      <CallError
        error={list.error}
        what="The webhooks could not be read"
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (list.data.length === 0) {
    return (
      <EmptyState
        icon={<WebhookIcon aria-hidden size={26} />}
        title="No webhook yet"
        action={<Button onClick={onCreate}>Add webhook</Button>}
      >
        A webhook tells another program at once when a run fails, deletes wait for you or documents change.
      </EmptyState>
    );
  }
  return (
    <>
      <StaleMark query={list} />
      <DataTable
        caption="Webhooks"
        columns={COLUMNS}
        rows={list.data}
        rowKey={(webhook) => webhook.id}
        rowLabel={(webhook) => webhook.url}
        rowHref={(webhook) => `/webhooks/${webhook.id}`}
      />
    </>
  );
}

const COLUMNS: Column<Webhook>[] = [
  {
    id: "address",
    header: "Address",
    cell: (webhook) => (
      <span title={webhook.url}>
        {shortAddress(webhook.url)}
        {webhook.description && <span className="font-normal text-ink-muted"> · {webhook.description}</span>}
      </span>
    ),
  },
  {
    id: "state",
    header: "State",
    width: "132px",
    cell: (webhook) => (
      <StatusBadge status={webhookBadge(webhook)} title={webhook.disabledReason ?? undefined} />
    ),
  },
  {
    id: "events",
    header: "Events",
    width: "300px",
    from: "lg",
    cell: (webhook) => <span title={webhook.events.join(", ")}>{webhook.events.join(", ")}</span>,
  },
  {
    id: "delivered",
    header: "Last delivered",
    width: "140px",
    cell: (webhook) => <RelativeTimeOrNever at={webhook.lastSuccessAt} />,
  },
];
