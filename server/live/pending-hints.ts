import type { LiveHint, LiveKind } from "./schema";

/** Of one kind; more is "many", and whoever hears it reads everything of that kind again. */
const MAX_IDS = 100;

/** Hints that wait to be told. Never grows beyond a few kilobytes, however slow the listener. */
export class PendingHints {
  private readonly byKind = new Map<LiveKind | "all", Set<string> | null>();

  get isEmpty(): boolean {
    return this.byKind.size === 0;
  }

  add({ kind, ids }: LiveHint): void {
    if (this.byKind.has("all")) return;
    if (kind === "all") this.byKind.clear();
    const known = this.byKind.get(kind);
    if (known === null) return;
    if (ids === null) {
      this.byKind.set(kind, null);
      return;
    }
    const merged = known ?? new Set<string>();
    for (const id of ids) merged.add(id);
    this.byKind.set(kind, merged.size > MAX_IDS ? null : merged);
  }

  /** Empties it. */
  take(): LiveHint[] {
    const hints = [...this.byKind].map(([kind, ids]) => ({ kind, ids: ids && [...ids] }));
    this.byKind.clear();
    return hints;
  }
}
