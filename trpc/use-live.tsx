"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { useTRPCClient } from "./client";
import { openLive } from "./open-live";

/**
 * `live`: changes come by themselves. `waiting`: the first connection is being made. `lost`: nothing
 * comes since `since`, and pages ask by the clock instead.
 */
export type LiveState = { state: "waiting" | "live"; since: null } | { state: "lost"; since: Date };

const LiveContext = createContext<LiveState>({ state: "waiting", since: null });

/** Keeps what pages show up to date, with one connection for the whole tab. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>({ state: "waiting", since: null });
  useEffect(() => openLive({ client, queryClient, onState: setState }), [client, queryClient]);
  return <LiveContext value={state}>{children}</LiveContext>;
}

export function useLiveState(): LiveState {
  return use(LiveContext);
}

/** How often to ask again: not at all while changes come by themselves. For `refetchInterval`. */
export function usePolling(): (ms: number) => number | false {
  const { state } = useLiveState();
  return useCallback((ms) => (state === "live" ? false : ms), [state]);
}
