"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client";

/** What kinds of sources are called; a kind without an adapter here (an older server's) by its own name. */
export function useTypeWords(): (type: string) => string {
  const trpc = useTRPC();
  const adapters = useQuery(
    trpc.adapters.list.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  );
  return (type) =>
    type === "api" ? "API" : (adapters.data?.find((adapter) => adapter.type === type)?.name ?? type);
}
