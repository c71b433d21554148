import type { PositionStore, Step } from "../follow/options.ts";
import type { Change } from "../wire.ts";

/** A copy in memory that outlives its follower, and can die between any two of its steps. */
export class Mirror {
  readonly documents = new Map<string, { text: string; generation: string }>();
  position: string | null = null;
  /** Steps taken; the one with the number `dieAt` throws instead of happening. */
  steps = 0;
  dieAt: number | null = null;
  readonly applied: { changes: Change[]; step: Step }[] = [];

  /** Text by external id. */
  get contents(): Map<string, string> {
    return new Map([...this.documents].map(([key, { text }]) => [key, text]));
  }

  /** Apply, then save: what a copy outside a database does. */
  readonly simple = (): { store: PositionStore; apply: (changes: Change[], step: Step) => void } => ({
    store: {
      load: () => this.position,
      save: (position) => {
        this.#step();
        this.position = position;
      },
    },
    apply: (changes, step) => this.#apply(changes, step),
  });

  /** All or nothing, the position included. */
  readonly transactional = (): { store: PositionStore; apply: (changes: Change[], step: Step) => void } => ({
    store: { load: () => this.position },
    apply: (changes, step) => {
      const before = new Map(this.documents);
      try {
        this.#apply(changes, step);
        this.#step();
        this.position = step.position;
      } catch (error) {
        this.documents.clear();
        for (const [key, value] of before) this.documents.set(key, value);
        throw error;
      }
    },
  });

  #apply(changes: Change[], step: Step): void {
    for (const change of changes) {
      this.#step();
      if (change.op === "delete") this.documents.delete(change.externalId);
      else {
        const text = change.document.title ?? "";
        this.documents.set(change.externalId, { text, generation: step.generation });
      }
    }
    if (step.sweep) {
      for (const [key, { generation }] of this.documents) {
        if (generation === step.generation) continue;
        this.#step();
        this.documents.delete(key);
      }
    }
    this.applied.push({ changes, step });
  }

  #step(): void {
    this.steps += 1;
    if (this.steps === this.dieAt) throw new Error("died");
  }
}
