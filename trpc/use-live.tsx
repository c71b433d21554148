"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";

/**
 * `live`: changes come by themselves. `waiting`: the first connection is being made. `lost`: nothing
 * comes since `since`, and pages ask by the clock instead.
 */
export type LiveState = { state: "waiting" | "live"; since: null } | { state: "lost"; since: Date };

const LiveContext = createContext<LiveState>({ state: "waiting", since: null });

/** The server that gave the page did not give the script: it may be back by then. */
const RETRY_MS = 5_000;

/** Keeps what pages show up to date, with one connection for the whole tab. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>({ state: "waiting", since: null });
  useEffect(() => fetchAndOpen(queryClient, setState), [queryClient]);
  return <LiveContext value={state}>{children}</LiveContext>;
}

/** A page works before it is live, so what makes it live is fetched after it. @returns ends it. */
function fetchAndOpen(queryClient: QueryClient, onState: (state: LiveState) => void): () => void {
  let end = () => {};
  let isOver = false;
  async function open() {
    try {
      const { openLive } = await import("./open-live");
      if (!isOver) end = openLive({ queryClient, onState });
    } catch {
      if (isOver) return;
      onState({ state: "lost", since: new Date() });
      const retry = setTimeout(() => void open(), RETRY_MS);
      end = () => clearTimeout(retry);
    }
  }
  void open();
  return () => {
    isOver = true;
    end();
  };
}

export function useLiveState(): LiveState {
  return use(LiveContext);
}

/** How often to ask again: not at all while changes come by themselves. For `refetchInterval`. */
export function usePolling(): (ms: number) => number | false {
  const { state } = useLiveState();
  return useCallback((ms) => (state === "live" ? false : ms), [state]);
}
