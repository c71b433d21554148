"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { fetchAndOpen } from "./fetch-and-open";
import type { KeptState } from "./keep-subscription";

/** While it is lost, pages ask by the clock instead. */
export type LiveState = KeptState;

/** Longer than an answer takes that brings a session along. */
const NEW_SESSION_MS = 1_000;

const CONNECTING: LiveState = { state: "connecting" };
const LiveContext = createContext<LiveState>(CONNECTING);

/** Keeps what pages show up to date, with one connection for the whole tab. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const [state, setState] = useState<LiveState>(CONNECTING);
  useEffect(
    () =>
      fetchAndOpen(
        async () => {
          const { openLive } = await import("./open-live");
          return () => {
            let timer: ReturnType<typeof setTimeout> | undefined;
            const onAccessChange = () => {
              clearTimeout(timer);
              // The server draws the page anew for the other role, or sends to sign in. Not at once: whoever
              // changes their password here is being given a new session just now.
              timer = setTimeout(() => router.refresh(), NEW_SESSION_MS);
            };
            const end = openLive({ queryClient, onState: setState, onAccessChange });
            return () => {
              clearTimeout(timer);
              end();
            };
          };
        },
        (since) => setState({ state: "lost", since }),
      ),
    [queryClient, router],
  );
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
