import type { TRPCClient } from "@trpc/client";
import { TRPCClientError } from "@trpc/client";
import type { LiveHint } from "@/server/live/schema";
import type { AppRouter } from "@/server/trpc/root";

/**
 * Whether this page hears of changes. `lost`: it does not, since then; what it shows may be old.
 * `ended`: it never will again, because access is over; signing in anew begins another one.
 */
export type LiveState =
  | { status: "connecting"; since: Date }
  | { status: "live"; since: Date }
  | { status: "lost"; since: Date }
  | { status: "ended"; since: Date };

/** After a failure that the browser does not try again by itself (a proxy's answer, a full server). */
const RETRY_MS = { first: 1_000, longest: 30_000 };
/** A browser opens six connections to a host; pages that nobody sees must not hold them all. */
const HIDDEN_MS = 30_000;

/**
 * Keeps one subscription open for as long as the page is visible.
 *
 * @returns stops it.
 */
export function keepLive(
  client: TRPCClient<AppRouter>,
  { onHints, onState }: { onHints(hints: LiveHint[]): void; onState(state: LiveState): void },
): () => void {
  let stop: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = RETRY_MS.first;
  let wasInterrupted = false;
  let status: LiveState["status"] = "connecting";

  function tell(next: LiveState["status"]): void {
    // Trying again is still being without: the time since when must not begin anew.
    if (next === status || (next === "connecting" && status === "lost")) return;
    status = next;
    onState({ status, since: new Date() });
  }

  function open(): void {
    clearTimeout(timer);
    const { unsubscribe } = client.live.events.subscribe(undefined, {
      onConnectionStateChange(change) {
        if (change.state === "pending") {
          retryMs = RETRY_MS.first;
          tell("live");
        } else if (change.state === "connecting" && status === "live") {
          wasInterrupted = true;
          tell("lost");
        }
      },
      onData({ data }) {
        tell("live");
        // A connection that was made anew, not resumed, knows nothing of what was missed.
        const hints: LiveHint[] = wasInterrupted ? [{ kind: "all", ids: null }] : data.hints;
        wasInterrupted = false;
        if (hints.length > 0) onHints(hints);
      },
      onError(error) {
        close();
        wasInterrupted = true;
        const code = error instanceof TRPCClientError ? error.data?.code : undefined;
        if (code === "UNAUTHORIZED" || code === "FORBIDDEN") {
          tell("ended");
          return;
        }
        tell("lost");
        timer = setTimeout(open, retryMs);
        retryMs = Math.min(retryMs * 2, RETRY_MS.longest);
      },
    });
    stop = unsubscribe;
  }

  function close(): void {
    clearTimeout(timer);
    stop?.();
    stop = null;
  }

  function onVisibility(): void {
    clearTimeout(hiddenTimer);
    if (status === "ended") return;
    if (document.visibilityState === "hidden") {
      hiddenTimer = setTimeout(() => {
        close();
        wasInterrupted = true;
      }, HIDDEN_MS);
    } else if (!stop) {
      open();
    }
  }

  document.addEventListener("visibilitychange", onVisibility);
  open();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(hiddenTimer);
    close();
  };
}
