import { readError } from "@/app/_shared/read-error";
import type { TailPage } from "@/app/(dashboard)/_lib/types";
import { makeLiveClient } from "@/trpc/live-client";

/**
 * `lost`: nothing comes since then, and it tries again by itself. `ended`: the server said why it will not
 * come back.
 */
export type TailState =
  | { state: "connecting" | "live" }
  | { state: "lost"; since: Date }
  | { state: "ended"; error: unknown };

/** A connection that comes back within this time was not missed by anyone. */
const LOST_AFTER_MS = 2_000;
/** After the server ended it (restarted, too many wait), ask again this much later. */
const RETRY_MS = 5_000;
/** A page nobody looks at gives its connection back: browsers allow six per server without HTTP/2. */
const HIDDEN_MS = 15_000;

/** Asking again would be answered the same. */
const FINAL = new Set(["unauthenticated", "forbidden", "not_found", "feed_not_found", "invalid_request"]);

type Timer = "lost" | "retry" | "hide";

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
  onState(state: TailState): void;
}): () => void {
  const client = makeLiveClient();
  const timers = new Map<Timer, ReturnType<typeof setTimeout>>();
  let subscription: { unsubscribe(): void } | null = null;
  let lostSince: Date | null = null;
  let isBegun = false;
  let isOver = false;

  function after(name: Timer, ms: number, act: () => void) {
    clearTimeout(timers.get(name));
    timers.set(name, setTimeout(act, ms));
  }

  function onUp() {
    lostSince = null;
    clearTimeout(timers.get("lost"));
    onState({ state: "live" });
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
    isBegun = false;
  }

  function open() {
    if (isOver || subscription || document.visibilityState === "hidden") return;
    subscription = client.changes.tail.subscribe(filter, {
      onData(event) {
        onUp();
        if (!isBegun) onBegin();
        isBegun = true;
        onPage((event as { data: TailPage }).data);
      },
      onConnectionStateChange({ state, error }) {
        if (state === "connecting" && error) onDown();
      },
      onError(error) {
        close();
        if (FINAL.has(readError(error).code ?? "")) {
          clearTimeout(timers.get("lost"));
          onState({ state: "ended", error });
          return;
        }
        onDown();
        after("retry", RETRY_MS, open);
      },
    });
  }

  function onVisibility() {
    clearTimeout(timers.get("hide"));
    if (document.visibilityState === "hidden") after("hide", HIDDEN_MS, close);
    else open();
  }

  document.addEventListener("visibilitychange", onVisibility);
  open();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", onVisibility);
    for (const timer of timers.values()) clearTimeout(timer);
    close();
  };
}
