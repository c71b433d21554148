import type { QueryClient } from "@tanstack/react-query";
import type { LiveEvent, LiveHint } from "@/server/live/schema";
import { makeLiveClient } from "./live-client";
import { isTouched } from "./live-queries";
import type { LiveState } from "./use-live";

/** Between two rounds of reading again: a busy workspace must not keep a page busy. */
const ROUND_MS = 400;
/** A connection that comes back within this time was not missed by anyone. */
const LOST_AFTER_MS = 2_000;
/** After the server ended it for good (signed out, too many pages), ask again this much later. */
const RETRY_MS = 5_000;
/** A page nobody looks at gives its connection back: browsers allow six per server without HTTP/2. */
const HIDDEN_MS = 15_000;

/** Opens the tab's live connection and keeps it. @returns ends it. */
export function openLive({
  queryClient,
  onState,
}: {
  queryClient: QueryClient;
  onState(state: LiveState): void;
}): () => void {
  let subscription: { unsubscribe(): void } | null = null;
  let lostSince: Date | null = null;
  let isResumed = false;
  let isOver = false;
  const timers = new Map<"lost" | "retry" | "hide", ReturnType<typeof setTimeout>>();
  const client = makeLiveClient();
  const reader = makeReader(queryClient);

  function after(name: "lost" | "retry" | "hide", ms: number, act: () => void) {
    clearTimeout(timers.get(name));
    timers.set(name, setTimeout(act, ms));
  }

  function onUp() {
    lostSince = null;
    clearTimeout(timers.get("lost"));
    onState({ state: "live", since: null });
  }

  function onDown() {
    if (lostSince) return;
    const since = new Date();
    lostSince = since;
    after("lost", LOST_AFTER_MS, () => onState({ state: "lost", since }));
  }

  function close() {
    subscription?.unsubscribe();
    subscription = null;
  }

  function open() {
    if (isOver || subscription || document.visibilityState === "hidden") return;
    subscription = client.live.events.subscribe(undefined, {
      onData(event) {
        onUp();
        if (isResumed) reader.add([{ kind: "all", ids: null }]);
        isResumed = false;
        reader.add((event as { data: LiveEvent }).data.hints);
      },
      onConnectionStateChange({ state, error }) {
        if (state === "connecting" && error) {
          isResumed = true;
          onDown();
        }
      },
      onError() {
        isResumed = true;
        onDown();
        close();
        after("retry", RETRY_MS, open);
      },
    });
  }

  function onVisibility() {
    clearTimeout(timers.get("hide"));
    if (document.visibilityState === "hidden") {
      after("hide", HIDDEN_MS, () => {
        close();
        isResumed = true;
      });
    } else open();
  }

  document.addEventListener("visibilitychange", onVisibility);
  open();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", onVisibility);
    for (const timer of timers.values()) clearTimeout(timer);
    close();
    reader.end();
  };
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
