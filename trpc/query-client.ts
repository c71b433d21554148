import { defaultShouldDehydrateQuery, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import superjson from "superjson";

/** Long enough that hydrated data is not fetched again at once, short enough to feel live. */
const STALE_MS = 10_000;
const MAX_RETRIES = 2;

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: shouldRetry },
      mutations: { retry: false },
      dehydrate: {
        serializeData: superjson.serialize,
        // Pending ones too: the server starts a query, and its rows stream in later.
        shouldDehydrateQuery: (query) =>
          defaultShouldDehydrateQuery(query) || query.state.status === "pending",
        // Next finds out by such errors that a page is dynamic, and redacts the others by itself.
        shouldRedactErrors: () => false,
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}

/** An answer is an answer: only what never reached the server, or found it busy, is tried again. */
function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= MAX_RETRIES) return false;
  if (!(error instanceof TRPCClientError)) return true;
  const status: unknown = error.data?.httpStatus;
  return status === undefined || status === 429 || status === 502 || status === 503;
}
