"use client";

import { useCallback, useSyncExternalStore } from "react";
import type { Visibility } from "@/components/table-column";

const PREFIX = "tidemark.columns.";
const NONE: Visibility = {};
const listeners = new Set<() => void>();
/** What was read last, so that a snapshot stays the same object while nothing changed. */
const known = new Map<string, { text: string | null; value: Visibility }>();

/** Which columns of a table the viewer chose, remembered in this browser. */
export function useColumnChoice(table: string) {
  const visibility = useSyncExternalStore(
    subscribe,
    () => read(table),
    () => NONE,
  );
  const show = useCallback(
    (column: string, isShown: boolean) => write(table, { ...read(table), [column]: isShown }),
    [table],
  );
  const reset = useCallback(() => write(table, null), [table]);
  return { visibility, show, reset };
}

export type ColumnChoiceState = ReturnType<typeof useColumnChoice>;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function read(table: string): Visibility {
  const text = readText(table);
  const last = known.get(table);
  if (last && last.text === text) return last.value;
  const value = parse(text);
  known.set(table, { text, value });
  return value;
}

function readText(table: string): string | null {
  try {
    return localStorage.getItem(PREFIX + table);
  } catch {
    return null; // storage is forbidden here: the choice lasts as long as the page
  }
}

function parse(text: string | null): Visibility {
  if (text === null) return NONE;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return NONE;
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
    );
  } catch {
    return NONE;
  }
}

function write(table: string, value: Visibility | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + table);
    else localStorage.setItem(PREFIX + table, JSON.stringify(value));
  } catch {
    // As above.
  }
  for (const notify of listeners) notify();
}
