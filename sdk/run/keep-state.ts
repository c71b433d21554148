import type { JsonObject } from "../adapter.ts";
import { invalidOption } from "../errors.ts";
import { isRecord } from "../http/describe-answer.ts";
import type { StateStore } from "./options.ts";

const MAX_STATE_BYTES = 64 * 1024;

/**
 * An adapter's state beside the cursor that it was stored with. It counts only while the feed stands
 * there: after a reset, or another program's sync, validators in it would hide what must be read again.
 */
export class KeptState {
  readonly #store: StateStore | undefined;
  readonly #feedId: string;

  constructor(store: StateStore | undefined, feedId: string) {
    this.#store = store;
    this.#feedId = feedId;
  }

  /** @returns null when there is none, or when it belongs to another position. */
  async load(cursor: string | null): Promise<JsonObject | null> {
    const text = await this.#store?.load();
    if (text === null || text === undefined) return null;
    let kept: unknown;
    try {
      kept = JSON.parse(text);
    } catch {
      throw invalidOption("`state.load()` gave something else than was saved.");
    }
    if (!isRecord(kept) || kept.feedId !== this.#feedId || kept.cursor !== cursor) return null;
    return isRecord(kept.state) ? (kept.state as JsonObject) : null;
  }

  async save(state: JsonObject | null, cursor: string | null): Promise<void> {
    await this.#store?.save(JSON.stringify({ v: 1, feedId: this.#feedId, cursor, state }));
  }
}

/** @throws Error when it is more than the server's own runner would keep: a fault of the adapter. */
export function checkState(state: JsonObject): void {
  if (new TextEncoder().encode(JSON.stringify(state)).byteLength <= MAX_STATE_BYTES) return;
  throw new Error("The adapter's state is larger than 64 KiB.");
}
