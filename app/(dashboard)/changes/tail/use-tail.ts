"use client";

import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import { NO_ROWS, rowsOfDocuments, rowsOfPage, tailReducer } from "@/app/(dashboard)/changes/tail/tail-rows";
import { useTRPCClient } from "@/trpc/client";
import { fetchAndOpen } from "@/trpc/fetch-and-open";
import type { KeptState } from "@/trpc/keep-subscription";

/** Enough to see what has been going on; the rest is under Documents. */
const BEFORE = 12;
type Filter = { sourceId?: string; feedId?: string };

/**
 * The last changes, and those that come. The filter is read once: another filter is another component.
 *
 * @param onCursor where the tail stands, with each event.
 */
export function useTail(filter: Filter, onCursor: (cursor: string) => void) {
  const client = useTRPCClient();
  const [rows, act] = useReducer(tailReducer, NO_ROWS);
  const [connection, setConnection] = useState<KeptState>({ state: "connecting" });
  /** Until the past was read an empty list means nothing. */
  const [past, setPast] = useState<"pending" | "read" | "failed">("pending");
  const tellCursor = useEffectEvent(onCursor);

  const readBefore = useEffectEvent(async (isOver: () => boolean) => {
    try {
      const { items } = await client.documents.list.query({ ...filter, state: "any", limit: BEFORE });
      if (isOver()) return;
      act({ type: "before", rows: rowsOfDocuments(items) });
      setPast("read");
    } catch {
      if (!isOver()) setPast((before) => (before === "read" ? before : "failed"));
    }
  });

  const start = useEffectEvent((isOver: () => boolean) => {
    return {
      filter,
      onBegin: () => void readBefore(isOver),
      onPage(page: Parameters<typeof rowsOfPage>[0] & { cursor: string }) {
        tellCursor(page.cursor);
        if (page.changes.length > 0) act({ type: "came", rows: rowsOfPage(page) });
      },
      onState: setConnection,
    };
  });

  useEffect(() => {
    let isOver = false;
    const end = fetchAndOpen(
      async () => {
        const { openTail } = await import("@/app/(dashboard)/changes/tail/open-tail");
        return () => openTail(start(() => isOver));
      },
      (since) => setConnection({ state: "lost", since }),
    );
    return () => {
      isOver = true;
      end();
    };
  }, []);

  // What does not come by itself is asked for.
  const isLost = connection.state === "lost";
  useEffect(() => {
    if (!isLost) return;
    let isOver = false;
    const ask = () => void readBefore(() => isOver);
    ask();
    const timer = setInterval(ask, CALM_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isLost]);

  return {
    ...rows,
    connection,
    past,
    pause: () => act({ type: "pause" }),
    resume: () => act({ type: "resume" }),
  };
}
