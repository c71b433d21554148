import type { PositionStore } from "../follow/options.ts";

/** Keeps the position for as long as the program runs: for a copy that lives no longer either. */
export function createMemoryStore(): Required<PositionStore> {
  let position: string | null = null;
  return {
    load: () => position,
    save(next) {
      position = next;
    },
  };
}
