"use client";

import { type RefObject, useEffect } from "react";

/** `j` and `k` move between the rows' links, as in many lists; Enter then opens by itself. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== "j" && event.key !== "k") return;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.closest("input, textarea, select, [contenteditable], [role='dialog'], [role='menu']"))
        return;
      const links = [...(table.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
      if (links.length === 0) return;
      const current = links.indexOf(document.activeElement as HTMLElement);
      const next = current === -1 ? 0 : current + (event.key === "j" ? 1 : -1);
      links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [table]);
}
