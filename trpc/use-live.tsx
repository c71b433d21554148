"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useTRPCClient } from "./client";
import { keepLive, type LiveState } from "./live-connection";
import { createRefresher } from "./refresh-queries";

export type { LiveState } from "./live-connection";

const Live = createContext<LiveState | null>(null);

/** One live connection for everything below: what changes on the server is read again here. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>(() => ({ status: "connecting", since: new Date() }));

  useEffect(() => {
    const refresher = createRefresher(queryClient);
    const stop = keepLive(client, { onHints: refresher.add, onState: setState });
    return () => {
      stop();
      refresher.stop();
    };
  }, [client, queryClient]);

  return <Live.Provider value={state}>{children}</Live.Provider>;
}

/** Is this page live, and if not, since when. */
export function useLive(): LiveState {
  const state = useContext(Live);
  if (!state) throw new Error("useLive needs a LiveProvider above it");
  return state;
}
