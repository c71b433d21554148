"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { CallError } from "@/app/_shared/call-error";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import type { Delivery, Webhook } from "@/app/(dashboard)/_lib/types";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { DELIVERY_TYPES } from "@/app/(dashboard)/webhooks/event-words";
import { attemptWords, deliveryBadge } from "@/app/(dashboard)/webhooks/webhook-words";
import { Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { FilterSelect } from "@/components/field";
import { Pager } from "@/components/pager";
import { RelativeTime } from "@/components/relative-time";
import { TableSkeleton } from "@/components/skeleton";
import type { Column } from "@/components/table-column";
import { useTRPC } from "@/trpc/client";

const DeliveryDialog = dynamic(() =>
  import("@/app/(dashboard)/webhooks/[webhookId]/delivery-dialog").then((module) => module.DeliveryDialog),
);

const STATES = ["pending", "delivered", "failed"] as const;
const STATE_WORDS = { pending: "Not delivered yet", delivered: "Delivered", failed: "Given up" };

/** Everything that was or is to be delivered, newest first. */
export function DeliveryTable({ webhook }: { webhook: Webhook }) {
  const trpc = useTRPC();
  const [openId, setOpenId] = useQueryState("delivery", parseAsString);
  const table = useTableState(
    { state: parseAsStringLiteral(STATES), event: parseAsStringLiteral(DELIVERY_TYPES) },
    [],
  );
  const { state, event } = table.filters;
  const list = useQuery(
    trpc.webhooks.deliveries.queryOptions(
      {
        webhookId: webhook.id,
        limit: 50,
        ...(state && { status: state }),
        ...(event && { type: event }),
        ...(table.place.after && { after: table.place.after }),
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const rows = list.data?.items ?? [];
  const isUntouched = rows.length === 0 && !table.isFiltered && !table.place.after;
  return (
    <section aria-labelledby="deliveries-heading">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="deliveries-heading" className="text-lg font-semibold">
          Deliveries
        </h2>
        {!isUntouched && (
          <div className="flex gap-2">
            <FilterSelect
              label="Event"
              value={event ?? ""}
              onChange={({ target }) =>
                table.set({ event: DELIVERY_TYPES.find((type) => type === target.value) ?? null })
              }
            >
              <option value="">All events</option>
              {DELIVERY_TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </FilterSelect>
            <FilterSelect
              label="State"
              value={state ?? ""}
              onChange={({ target }) =>
                table.set({ state: STATES.find((known) => known === target.value) ?? null })
              }
            >
              <option value="">All states</option>
              {STATES.map((known) => (
                <option key={known} value={known}>
                  {STATE_WORDS[known]}
                </option>
              ))}
            </FilterSelect>
          </div>
        )}
      </div>
      <StaleMark query={list} />
      {list.isPending && <TableSkeleton rows={5} columns={4} />}
      {list.isError && !list.data && (
        <CallError
          error={list.error}
          what="The deliveries could not be read"
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && isUntouched && (
        <EmptyState title="Nothing delivered yet">
          “Send test” posts a first event and shows what the receiver answers.
        </EmptyState>
      )}
      {list.data && rows.length === 0 && !isUntouched && (
        <EmptyState title="Nothing matches" action={<Button onClick={table.clear}>Clear filters</Button>}>
          Finished deliveries are kept for 30 days.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          caption="Deliveries"
          columns={columns((delivery) => void setOpenId(delivery.id))}
          rows={rows}
          rowKey={(delivery) => delivery.id}
          rowLabel={(delivery) => `${delivery.type} of ${delivery.createdAt}`}
        />
      )}
      {list.data && (
        <Pager place={table.place} nextAfter={list.data.nextAfter} prevBefore={null} onChange={table.goTo} />
      )}
      {openId && (
        <DeliveryDialog webhook={webhook} deliveryId={openId} onClose={() => void setOpenId(null)} />
      )}
    </section>
  );
}

function columns(onOpen: (delivery: Delivery) => void): Column<Delivery>[] {
  return [
    {
      id: "event",
      header: "Event",
      width: "190px",
      cell: (delivery) => (
        <button
          type="button"
          data-row-link
          className="max-w-full truncate rounded-sm text-left font-medium hover:underline max-md:min-h-10"
          onClick={() => onOpen(delivery)}
        >
          <code className="text-xs">{delivery.type}</code>
        </button>
      ),
    },
    {
      id: "state",
      header: "State",
      width: "124px",
      cell: (delivery) => <StatusBadge status={deliveryBadge(delivery)} />,
    },
    {
      id: "answer",
      header: "Last answer",
      cell: ({ lastAttempt }) =>
        lastAttempt ? (
          <span title={lastAttempt.error?.message}>{attemptWords(lastAttempt)}</span>
        ) : (
          <span className="text-ink-muted">not sent yet</span>
        ),
    },
    {
      id: "attempts",
      header: "Attempts",
      width: "84px",
      align: "right",
      from: "md",
      cell: (delivery) => delivery.attemptCount,
    },
    {
      id: "next",
      header: "Next try",
      width: "120px",
      from: "md",
      cell: ({ nextAttemptAt }) =>
        nextAttemptAt ? <RelativeTime at={nextAttemptAt} /> : <span className="text-ink-muted">none</span>,
    },
    {
      id: "created",
      header: "Happened",
      width: "120px",
      cell: (delivery) => <RelativeTime at={delivery.createdAt} />,
    },
  ];
}
