"use client";

import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import type { AppRouter } from "@/server/trpc/root";
import { makeQueryClient } from "./query-client";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

let browserQueryClient: QueryClient | undefined;

/** One per browser tab; a fresh one per request while rendering on the server. */
function getQueryClient(): QueryClient {
  if (typeof window === "undefined") return makeQueryClient();
  browserQueryClient ??= makeQueryClient();
  return browserQueryClient;
}

/** Upstreams are asked, runs waited for, many things done: what shares their batch would wait too. */
const SLOW = new Set([
  "sources.discover",
  "sources.check",
  "sources.bulk",
  "feeds.sync",
  "feeds.bulk",
  "feeds.retryRejections",
  "opml.preview",
  "opml.import",
  "overview.charts",
]);

/** The live connection has a client of its own (live-client.ts). */
function links(): TRPCLink<AppRouter>[] {
  const options = { url: "/api/trpc", transformer: superjson };
  return [
    splitLink({
      condition: (operation) => SLOW.has(operation.path) || operation.context.skipBatch === true,
      true: httpLink(options),
      // GET requests carry their inputs in the URL, which has to stay short for proxies.
      false: httpBatchLink({ ...options, maxURLLength: 4000 }),
    }),
  ];
}

export function TRPCReactProvider({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient();
  const [client] = useState(() => createTRPCClient<AppRouter>({ links: links() }));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
