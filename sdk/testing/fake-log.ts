import type { Change, ExpiredReason } from "../wire.ts";
import { type Answer, problem } from "./answers.ts";

type Entry = { seq: number; key: string; text: string | null };
type Cursor = { epoch: number; seq: number; filter: string; firstBound: number | null };

/** The change log as the reference model has it, in memory: one entry per key, the latest. */
export class FakeLog {
  #entries = new Map<string, Entry>();
  #nextSeq = 1;
  #horizon = 0;
  #epoch = 1;
  #waiters = new Set<() => void>();
  #isStopped = false;

  get waiting(): number {
    return this.#waiters.size;
  }

  /** What a follower's copy must be equal to. */
  get documents(): Map<string, string> {
    const live = [...this.#entries.values()].filter((entry) => entry.text !== null);
    return new Map(live.map((entry) => [entry.key, entry.text ?? ""]));
  }

  write(key: string, text: string | null): void {
    this.#entries.set(key, { seq: this.#nextSeq++, key, text });
    this.#wake();
  }

  /** Forgets all tombstones. */
  purge(): void {
    this.#horizon = this.#nextSeq;
    for (const [key, entry] of this.#entries) if (entry.text === null) this.#entries.delete(key);
  }

  /** The log was rewound: `keep` is what is left of it. */
  rewind(keep: (key: string) => boolean): void {
    this.#epoch += 1;
    for (const key of [...this.#entries.keys()]) if (!keep(key)) this.#entries.delete(key);
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  async pull(query: URLSearchParams, gone: AbortSignal): Promise<Answer> {
    const limit = Number(query.get("limit") ?? 100);
    const deadline = Date.now() + Number(query.get("wait") ?? 0) * 1000;
    for (;;) {
      const answer = this.#answer(query.get("cursor"), query.get("feedId") ?? "", limit);
      const isEmpty = Array.isArray(answer.body.changes) && answer.body.changes.length === 0;
      if (!isEmpty || gone.aborted || this.#isStopped || Date.now() >= deadline) return answer;
      await this.#waitForWrite(deadline - Date.now(), gone);
    }
  }

  #answer(text: string | null, filter: string, limit: number): Answer {
    const last = this.#nextSeq - 1;
    const cursor = text === null ? { epoch: this.#epoch, seq: 0, filter, firstBound: last } : decode(text);
    if (!cursor) return problem(400, "cursor_invalid");
    if (cursor.filter !== filter) return problem(400, "cursor_filter_mismatch");
    if (cursor.epoch !== this.#epoch) return expired("epoch");
    if (Math.max(cursor.seq, cursor.firstBound ?? 0) < this.#horizon - 1) return expired("horizon");
    const after = [...this.#entries.values()]
      .filter((entry) => entry.seq > cursor.seq && (filter === "" || entry.key.startsWith(filter)))
      .filter((entry) => entry.text !== null || entry.seq > (cursor.firstBound ?? 0))
      .sort((a, b) => a.seq - b.seq);
    const page = after.slice(0, limit);
    const hasMore = after.length > limit;
    const seq = hasMore ? (page.at(-1)?.seq ?? 0) : Math.max(cursor.seq, last);
    const firstBound = cursor.firstBound !== null && cursor.firstBound > seq ? cursor.firstBound : null;
    const next = encode({ ...cursor, seq, firstBound });
    return { status: 200, body: { changes: page.map(toChange), cursor: next, hasMore } };
  }

  async #waitForWrite(ms: number, gone: AbortSignal): Promise<void> {
    await new Promise<void>((woken) => {
      const timer = setTimeout(end, ms);
      const waiters = this.#waiters;
      function end() {
        clearTimeout(timer);
        waiters.delete(end);
        woken();
      }
      waiters.add(end);
      gone.addEventListener("abort", end, { once: true });
    });
  }

  #wake(): void {
    for (const end of [...this.#waiters]) end();
  }
}

function toChange({ seq, key, text }: Entry): Change {
  const common = {
    seq: String(seq),
    sourceId: "src_1",
    feedId: "feed_1",
    documentId: `doc_${key}`,
    externalId: key,
    version: null,
    changedAt: "2026-06-14T09:00:00Z",
  };
  if (text === null) return { ...common, op: "delete", document: null };
  const document = { title: text, url: null, author: null, date: null, metadata: {} };
  return { ...common, op: "upsert", document };
}

function expired(reason: ExpiredReason): Answer {
  return problem(410, "cursor_expired", { reason, restart: "/api/v1/changes" });
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function decode(text: string): Cursor | null {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString()) as Cursor;
  } catch {
    return null;
  }
}
