"use client";

import { useRef } from "react";

/**
 * For dialogs that open without a trigger of their own: the focus goes back to where it was. Radix
 * only knows its own trigger and leaves the focus nowhere otherwise.
 */
export function useReturnFocus() {
  const from = useRef<HTMLElement | null>(null);
  return {
    /** Called before the focus moves into the dialog. */
    onOpenAutoFocus() {
      from.current = findOrigin();
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      if (from.current?.isConnected) from.current.focus();
    },
  };
}

/** What was pressed. An entry of a menu is gone by the time the dialog closes: its button stays. */
function findOrigin(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest("[role=menu]");
  const button = menu && document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
  const origin = button ?? active;
  return origin instanceof HTMLElement ? origin : null;
}
