"use client";

import { type RefObject, useLayoutEffect } from "react";

/**
 * `j` and `k` move between the rows' links, as in many lists; Enter then opens by itself. Of several tables on a page
 * the one with the focus hears them, else the first that has links.
 */
export function useRowKeys(table: RefObject<HTMLTableElement | null>) {
  // Before the page is painted: a key that is pressed as soon as it is seen is heard.
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== "j" && event.key !== "k") return;
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      if (target.closest("input, textarea, select, [contenteditable], [role='dialog'], [role='menu']"))
        return;
      const links = [...(table.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
      const focused = document.activeElement?.closest("table");
      if (links.length === 0 || (focused && focused !== table.current)) return;
      event.preventDefault();
      const current = links.indexOf(document.activeElement as HTMLElement);
      const next = current === -1 ? 0 : current + (event.key === "j" ? 1 : -1);
      links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [table]);
}
