import { TidemarkError } from "../errors.ts";
import { orAbort } from "../http/abort.ts";
import type { Clock } from "../http/clock.ts";
import { type Connection, connect } from "../http/connection.ts";
import { retryRequest } from "../http/retry-request.ts";
import { type RequestOptions, sendRequest } from "../http/send-request.ts";
import type { FeedCursor, IngestAnswer } from "../wire.ts";
import { type Call, requireCursorOf, requireIngestAnswer, writeBody } from "./call.ts";
import { byteLength } from "./encode-document.ts";
import type { PushItems, PushOptions, PushSummary } from "./options.ts";
import { type Slice, sliceDocuments, tooLarge } from "./slice-documents.ts";
import { Tally } from "./tally.ts";

const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** For two cursors of 64 KiB, which JSON may double, and the rest around the documents. */
const RESERVED_BYTES = 320 * 1024;
const MAX_DOCUMENTS_BYTES = MAX_BODY_BYTES - RESERVED_BYTES;
/** Whoever is overtaken this often is overtaken for ever; the documents have arrived all the same. */
const MAX_RESTARTS = 5;

/** One push: its passes over the documents, their slices, and what became of them. */
export class Pusher {
  readonly #options: PushOptions;
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #tally = new Tally();
  /** Where to cut. Smaller than what the server takes once something in between took less. */
  #sliceBytes = MAX_DOCUMENTS_BYTES;

  constructor(options: PushOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#connection = connect(options);
  }

  async run(): Promise<PushSummary> {
    const { documents, cursorBefore, signal, onStatus } = this.#options;
    const { summary } = this.#tally;
    if (typeof documents !== "function") {
      await this.#deliver(documents, cursorBefore, false);
      return summary;
    }
    let from = cursorBefore === undefined ? await this.#readCursor() : asText(cursorBefore);
    for (;;) {
      const items = await orAbort(Promise.resolve(documents(from)), signal);
      if (await this.#deliver(items, from, summary.restarts < MAX_RESTARTS)) return summary;
      from = summary.cursor;
      summary.restarts += 1;
      onStatus?.({ type: "restarting", from });
    }
  }

  /**
   * One pass.
   *
   * @returns false when somebody else moved the cursor and the pass was left for another one.
   */
  async #deliver(
    items: PushItems,
    cursorBefore: FeedCursor | null | undefined,
    mayRestart: boolean,
  ): Promise<boolean> {
    let before = cursorBefore;
    let movesCursor = true;
    const bytes = { ofSlice: () => this.#sliceBytes, ofDocument: MAX_DOCUMENTS_BYTES };
    for await (const slice of sliceDocuments(items, bytes, this.#options.signal)) {
      this.#tally.reject(slice.rejected);
      const cursor = movesCursor ? this.#cursorOf(slice) : undefined;
      // Without a cursor there is nothing to check: it would only record the same conflict many times.
      const cursorBefore = cursor === undefined ? undefined : before;
      const answer = await this.#send({ documents: slice.documents, cursor, cursorBefore });
      if (cursor === undefined) continue;
      if (answer.cursorOutcome === "kept" && answer.conflict) {
        if (mayRestart) return false;
        // The documents are still good; the position is not ours to move any more.
        movesCursor = false;
      }
      before = answer.cursor;
    }
    return true;
  }

  /** What the feed's cursor may become once this slice, and so all before it, has arrived. */
  #cursorOf({ isLast, checkpoint }: Slice): FeedCursor | undefined {
    const { cursor } = this.#options;
    const last = isLast ? (typeof cursor === "function" ? cursor() : cursor) : undefined;
    return last ?? checkpoint;
  }

  async #send(call: Call): Promise<IngestAnswer> {
    const { feedId, sourceId, runId, onStatus } = this.#options;
    const { documents } = call;
    const body = writeBody(call, sourceId, runId);
    const path = `/feeds/${encodeURIComponent(feedId)}/documents`;
    let answer: IngestAnswer;
    try {
      // Sent again when its answer was lost: what was stored is recognised, a cursor that moved is no conflict.
      answer = requireIngestAnswer(await this.#request(path, { method: "POST", body }));
    } catch (error) {
      if (!isTooLarge(error) || documents.length === 0) throw error;
      return this.#sendInParts(call, byteLength(body));
    }
    this.#tally.add(answer, documents, call.cursor !== undefined);
    onStatus?.({ type: "pushed", documents: documents.length, cursor: answer.cursor });
    return answer;
  }

  /** Something in between, a proxy most likely, takes less than the server: find out how much. */
  async #sendInParts(call: Call, bytes: number): Promise<IngestAnswer> {
    const { documents } = call;
    const [only] = documents;
    if (documents.length === 1 && only) {
      this.#tally.reject([tooLarge(only)]);
      return this.#send({ ...call, documents: [] });
    }
    this.#sliceBytes = Math.min(this.#sliceBytes, Math.ceil(bytes / 2));
    const half = Math.ceil(documents.length / 2);
    await this.#send({ documents: documents.slice(0, half), cursor: undefined, cursorBefore: undefined });
    return this.#send({ ...call, documents: documents.slice(half) });
  }

  async #readCursor(): Promise<string | null> {
    return requireCursorOf(await this.#request(`/feeds/${encodeURIComponent(this.#options.feedId)}`, {}));
  }

  #request(path: string, request: RequestOptions): Promise<unknown> {
    const { signal, onStatus } = this.#options;
    const send = () => sendRequest(this.#connection, path, { ...request, signal });
    return retryRequest(send, this.#clock, signal, (retry) => onStatus?.({ type: "retrying", ...retry }));
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof TidemarkError && error.code === "body_too_large";
}

function asText(cursor: FeedCursor | null): string | null {
  return typeof cursor === "object" && cursor !== null ? JSON.stringify(cursor) : cursor;
}
