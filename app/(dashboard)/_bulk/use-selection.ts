"use client";

import { useState } from "react";
import type { Selection } from "@/components/data-table";

/** Chosen rows, remembered with their names while people turn pages. */
export function useSelection<Row, Chosen extends { id: string; name: string }>(
  rows: readonly Row[],
  describe: (row: Row) => Chosen,
) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const selection: Selection = {
    selected: new Set(chosen.keys()),
    onChange(ids) {
      const here = new Map(rows.map(describe).map((item) => [item.id, item]));
      const next = new Map<string, Chosen>();
      for (const id of ids) {
        const item = here.get(id) ?? chosen.get(id);
        if (item) next.set(id, item);
      }
      setChosen(next);
    },
  };
  return {
    selection,
    chosen: [...chosen.values()],
    choose: (items: readonly Chosen[]) => setChosen(new Map(items.map((item) => [item.id, item]))),
    clear: () => setChosen(new Map()),
  };
}
