"use client";

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

/**
 * One clock for the page. The server's reading is handed to the first render on both sides, so relative
 * times hydrate without a mismatch; afterwards the browser's clock ticks every ten seconds.
 */
const ServerNow = createContext(0);

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function readBrowserClock(): number {
  if (now === 0) now = Date.now();
  return now;
}

export function ClockProvider({ serverNow, children }: { serverNow: number; children: ReactNode }) {
  return <ServerNow value={serverNow}>{children}</ServerNow>;
}

/** Milliseconds since 1970, at most ten seconds old. */
export function useNow(): number {
  const serverNow = useContext(ServerNow);
  return useSyncExternalStore(subscribe, readBrowserClock, () => serverNow);
}

const subscribeNever = () => () => {};

/** False on the server and in the first render in the browser; for what depends on the viewer's zone. */
export function useIsBrowser(): boolean {
  return useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
}
