import { readError } from "@/app/_shared/read-error";
import type { TailPage } from "@/app/(dashboard)/_lib/types";
import { type KeptState, keepSubscription } from "@/trpc/keep-subscription";
import { makeLiveClient } from "@/trpc/live-client";

/** Asking again would be answered the same. */
const FINAL = new Set(["unauthenticated", "forbidden", "not_found", "feed_not_found", "invalid_request"]);

/**
 * Follows the change feed from now on, for as long as the page is looked at.
 *
 * A connection that broke goes on after the last event. One that was given up, because the page was hidden
 * or the cursor no longer holds, begins anew at the head: `onBegin` tells, and what came in between is the
 * caller's to read. @returns ends it.
 */
export function openTail({
  filter,
  onBegin,
  onPage,
  onState,
}: {
  filter: { sourceId?: string; feedId?: string };
  /** It is live: whatever was stored until now can be read, what comes later will be told. */
  onBegin(): void;
  onPage(page: TailPage): void;
  onState(state: KeptState): void;
}): () => void {
  const { tail } = makeLiveClient().changes;
  return keepSubscription<{ data: TailPage }>({
    subscribe: (handlers) => tail.subscribe(filter, handlers as Parameters<typeof tail.subscribe>[1]),
    isFinal: (error) => FINAL.has(readError(error).code ?? ""),
    onEvent({ data }, after) {
      if (after === "start") onBegin();
      onPage(data);
    },
    onState,
  });
}
