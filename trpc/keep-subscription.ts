/**
 * `lost`: nothing comes since then, and it tries again by itself. `ended`: the server said why it will not come
 * back.
 */
export type KeptState =
  | { state: "connecting" | "live" }
  | { state: "lost"; since: Date }
  | { state: "ended"; error: unknown };

/** What an event comes after: the one before it, a connection that broke, or nothing, as a new subscription's first. */
export type After = "event" | "break" | "start";

type Handlers<Event> = {
  onData(event: Event): void;
  onConnectionStateChange(change: { state: string; error?: unknown }): void;
  onError(error: unknown): void;
};

/** A connection that comes back within this time was not missed by anyone. */
const LOST_AFTER_MS = 2_000;
/** After the server ended it (restarted, too many wait), ask again this much later. */
const RETRY_MS = 5_000;
/** A page nobody looks at gives its connection back: browsers allow six per server without HTTP/2. */
const HIDDEN_MS = 15_000;

/**
 * Keeps a subscription for as long as the page is looked at. A connection that broke is taken up again by tRPC; what
 * the server ended, or a hidden page gave up, is begun anew.
 *
 * @param isFinal would asking again be answered the same? Then it ends.
 * @returns ends it.
 */
export function keepSubscription<Event>({
  subscribe,
  isFinal,
  onEvent,
  onState,
}: {
  subscribe(handlers: Handlers<Event>): { unsubscribe(): void };
  isFinal(error: unknown): boolean;
  onEvent(event: Event, after: After): void;
  onState(state: KeptState): void;
}): () => void {
  const timers = new Map<"lost" | "retry" | "hide", ReturnType<typeof setTimeout>>();
  let subscription: { unsubscribe(): void } | null = null;
  let lostSince: Date | null = null;
  let after: After = "start";
  let isOver = false;

  function later(name: "lost" | "retry" | "hide", ms: number, act: () => void) {
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
    later("lost", LOST_AFTER_MS, () => onState({ state: "lost", since }));
  }

  function close() {
    subscription?.unsubscribe();
    subscription = null;
    after = "start";
  }

  function end() {
    isOver = true;
    document.removeEventListener("visibilitychange", onVisibility);
    for (const timer of timers.values()) clearTimeout(timer);
    close();
  }

  function open() {
    if (isOver || subscription || document.visibilityState === "hidden") return;
    subscription = subscribe({
      onData(event) {
        onUp();
        onEvent(event, after);
        after = "event";
      },
      onConnectionStateChange({ state, error }) {
        if (state !== "connecting" || !error) return;
        if (after === "event") after = "break";
        onDown();
      },
      onError(error) {
        if (isFinal(error)) {
          end();
          onState({ state: "ended", error });
          return;
        }
        close();
        onDown();
        later("retry", RETRY_MS, open);
      },
    });
  }

  function onVisibility() {
    clearTimeout(timers.get("hide"));
    if (document.visibilityState === "hidden") later("hide", HIDDEN_MS, close);
    else open();
  }

  document.addEventListener("visibilitychange", onVisibility);
  open();
  return end;
}
