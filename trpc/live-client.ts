import { createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import superjson from "superjson";
import type { AppRouter } from "@/server/trpc/root";

/** For the live connection alone: reading a stream of events takes script that calls do not need. */
export function makeLiveClient() {
  return createTRPCClient<AppRouter>({
    links: [httpSubscriptionLink({ url: "/api/trpc", transformer: superjson })],
  });
}
