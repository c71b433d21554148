import "server-only";
import { dehydrate, type FetchQueryOptions, HydrationBoundary, type QueryKey } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { cache, type ReactNode } from "react";
import { createContext } from "@/server/trpc/create-context";
import { appRouter, createCaller } from "@/server/trpc/root";
import { makeQueryClient } from "./query-client";

/** One per request: everything a page prefetches ends up in the same cache. */
export const getQueryClient = cache(makeQueryClient);

/**
 * A page is a navigation, and a link in a mail or on another site leads to the same page. What refuses
 * foreign pages in create-context.ts is meant for calls that scripts make.
 */
const getContext = cache(async () => {
  const own = new Headers(await headers());
  for (const name of ["sec-fetch-site", "origin"]) own.delete(name);
  return createContext(own);
});

/** `trpc.feeds.get.queryOptions({ feedId })`, answered in this process. */
export const trpc = createTRPCOptionsProxy({
  ctx: getContext,
  router: appRouter,
  queryClient: getQueryClient,
});

/** Calls procedures directly, for pages that need the answer itself (a title, a redirect). */
export const caller = createCaller(getContext);

/**
 * Starts a query on the server; not awaited, so the shell renders now and the rows stream in. A
 * failure is left to the client's own request, which can show it.
 */
export function prefetch<Data, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Error, Data, Key>,
): void {
  void getQueryClient()
    .prefetchQuery(options)
    .catch(() => {});
}

/** Hands what was prefetched to the client components below. */
export function HydrateClient({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>;
}
