import type { QueryClient } from "@tanstack/react-query";
import type { LiveEvent, LiveHint } from "@/server/live/schema";
import { keepSubscription } from "./keep-subscription";
import { makeLiveClient } from "./live-client";
import { isTouched } from "./live-queries";
import type { LiveState } from "./use-live";

/** Between two rounds of reading again: a busy workspace must not keep a page busy. */
const ROUND_MS = 400;

/** Everything shown may be old. */
const ALL: LiveHint = { kind: "all", ids: null };

/** Opens the tab's live connection and keeps it. @returns ends it. */
export function openLive({
  queryClient,
  onState,
  onAccessChange,
}: {
  queryClient: QueryClient;
  onState(state: LiveState): void;
  /** Signed out, removed, or of another role now. */
  onAccessChange(): void;
}): () => void {
  const client = makeLiveClient();
  const reader = makeReader(queryClient);
  let isFirst = true;
  const end = keepSubscription<{ data: LiveEvent }>({
    subscribe: (handlers) =>
      client.live.events.subscribe(undefined, handlers as Parameters<typeof client.live.events.subscribe>[1]),
    // Never final: with another role, or signed in again elsewhere, the next try is let in.
    isFinal(error) {
      if (isUnauthenticated(error)) onAccessChange();
      return false;
    },
    onEvent({ data }, after) {
      if (after !== "event" && !isFirst) reader.add([ALL]);
      isFirst = false;
      reader.add(data.hints);
    },
    onState,
  });
  return () => {
    end();
    reader.end();
  };
}
function isUnauthenticated(error: unknown): boolean {
  return (error as { data?: { appCode?: unknown } | null }).data?.appCode === "unauthenticated";
}

/** Reads again what hints touch: at once, then in rounds, each waiting for the one before. */
function makeReader(queryClient: QueryClient) {
  let pending: LiveHint[] = [];
  let isReading = false;
  let isOver = false;

  async function read() {
    isReading = true;
    while (pending.length > 0 && !isOver) {
      const hints = pending;
      pending = [];
      await queryClient.invalidateQueries({ predicate: (query) => isTouched(query, hints) }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    }
    isReading = false;
  }

  return {
    add(hints: readonly LiveHint[]) {
      pending.push(...hints);
      if (!isReading && pending.length > 0) void read();
    },
    end() {
      isOver = true;
    },
  };
}
