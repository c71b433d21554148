import "server-only";
import type { FetchQueryOptions, QueryKey } from "@tanstack/react-query";
import { TRPCError } from "@trpc/server";
import { notFound } from "next/navigation";
import { getQueryClient } from "@/trpc/server";

/**
 * What the page is about, before anything is sent: only then can "there is no such thing here" still be
 * a real 404, for what was deleted and for what is another workspace's alike.
 */
export async function fetchOrNotFound<Queried, Failure, Data, Key extends QueryKey>(
  options: FetchQueryOptions<Queried, Failure, Data, Key>,
): Promise<Data> {
  try {
    return await getQueryClient().fetchQuery({ ...options, retry: false });
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "UNPROCESSABLE_CONTENT"))
      notFound();
    throw error;
  }
}

/** Reads ahead what the page shows first. A failure is left to the browser's own request. */
export async function prefetch<Queried, Failure, Data, Key extends QueryKey>(
  options: FetchQueryOptions<Queried, Failure, Data, Key>,
): Promise<void> {
  await getQueryClient().prefetchQuery({ ...options, retry: false });
}
