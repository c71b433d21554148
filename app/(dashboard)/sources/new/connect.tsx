"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { CallError } from "@/app/_shared/call-error";
import { Configure } from "@/app/(dashboard)/sources/new/configure";
import { ConnectProgram } from "@/app/(dashboard)/sources/new/connect-program";
import { FirstSync } from "@/app/(dashboard)/sources/new/first-sync";
import { EmptyState } from "@/components/empty-state";
import { Link } from "@/components/link";
import { PanelSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

/** The adapters change with the server's version alone. */
const ADAPTERS_STALE_MS = 600_000;

/** From "I have an address" to a first synced document. Which adapter, and which source, is in the URL. */
export function Connect() {
  const trpc = useTRPC();
  const [{ type, source }, setPlace] = useQueryStates(
    { type: parseAsString, source: parseAsString },
    { history: "push" },
  );
  const list = useQuery(trpc.adapters.list.queryOptions(undefined, { staleTime: ADAPTERS_STALE_MS }));

  if (source) return <FirstSync sourceId={source} />;
  if (type === "api") return <ConnectProgram />;
  if (list.isError) return <CallError error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <PanelSkeleton />;
  const adapter = list.data.find((each) => each.type === type) ?? null;
  if (type && !adapter) {
    return (
      <EmptyState title={`This server cannot connect to “${type}”`}>
        <Link href="/sources/new">The catalogue</Link> lists what it can.
      </EmptyState>
    );
  }
  return (
    <Configure
      adapters={list.data}
      chosen={adapter}
      onChoose={(next) => void setPlace({ type: next })}
      onConnected={(sourceId) => void setPlace({ type: null, source: sourceId }, { history: "replace" })}
    />
  );
}
