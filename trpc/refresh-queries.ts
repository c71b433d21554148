import type { Query, QueryClient } from "@tanstack/react-query";
import type { LiveHint } from "@/server/live/schema";

/**
 * Which queries a hint makes old, by the procedure's path. `idOf` names the input's member that the
 * hint's ids are about: a query that asks for another one stays.
 */
const TOUCHED: Record<LiveHint["kind"], { path: string; idOf?: string }[]> = {
  run: [
    { path: "runs.get", idOf: "runId" },
    { path: "runs.list" },
    { path: "feeds.history" },
    { path: "overview" },
  ],
  feed: [
    { path: "feeds.get", idOf: "feedId" },
    { path: "feeds.transitions", idOf: "feedId" },
    { path: "feeds.heldDeletes", idOf: "feedId" },
    { path: "feeds.rejections" },
    { path: "feeds.list" },
    { path: "sources" },
    { path: "overview.get" },
  ],
  source: [{ path: "sources" }, { path: "feeds" }, { path: "overview.get" }],
  documents: [{ path: "documents" }],
  token: [{ path: "tokens" }],
  all: [{ path: "" }],
};

/** Between two rounds of reading again: a busy workspace changes all the time. */
const MIN_INTERVAL_MS = 500;

/** Marks as old what hints are about; the first at once, a burst at most twice a second. */
export function createRefresher(queryClient: QueryClient): { add(hints: LiveHint[]): void; stop(): void } {
  let waiting: LiveHint[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = 0;

  function run(): void {
    timer = undefined;
    lastAt = Date.now();
    const hints = waiting;
    waiting = [];
    void queryClient.invalidateQueries({
      predicate: (query) => hints.some((hint) => isTouched(query, hint)),
    });
  }

  return {
    add(hints) {
      // A page that stays in the background for long must not gather without end.
      waiting = waiting.length > 100 ? [{ kind: "all", ids: null }] : [...waiting, ...hints];
      timer ??= setTimeout(run, Math.max(0, lastAt + MIN_INTERVAL_MS - Date.now()));
    },
    stop: () => clearTimeout(timer),
  };
}

/** tRPC's query keys: `[["runs", "get"], { input, type }]`. */
export function isTouched({ queryKey }: Pick<Query, "queryKey">, { kind, ids }: LiveHint): boolean {
  const [path, options] = queryKey;
  if (!Array.isArray(path)) return false;
  const name = path.join(".");
  return TOUCHED[kind].some((touched) => {
    if (touched.path !== "" && name !== touched.path && !name.startsWith(`${touched.path}.`)) return false;
    const asked = touched.idOf === undefined ? undefined : inputMember(options, touched.idOf);
    return ids === null || typeof asked !== "string" || ids.includes(asked);
  });
}

function inputMember(options: unknown, name: string): unknown {
  const input = (options as { input?: Record<string, unknown> } | undefined)?.input;
  return input?.[name];
}
