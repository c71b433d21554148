import { END_OF_ROWS } from "./archive-format";
import { BackupError } from "./backup-error";

/** A header names every table and column; far above what any has, far below what hurts. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** An archive's content as lines and tables' rows, in their order. */
export type ArchiveBytes = {
  /** The next line, without its end. */
  line(): Promise<string>;
  /** Rows up to the end of their table. To be read to the end before anything else. */
  rows(): AsyncGenerator<Buffer>;
  /** Nothing is left. */
  isOver(): Promise<boolean>;
};

/** @throws BackupError from each where the content ends too early. */
export function createArchiveBytes(chunks: AsyncIterable<Buffer>): ArchiveBytes {
  const iterator = chunks[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);

  /** @returns false at the end. */
  async function more(): Promise<boolean> {
    const next = await iterator.next();
    if (next.done) return false;
    pending = pending.length === 0 ? next.value : Buffer.concat([pending, next.value]);
    return true;
  }

  return {
    async line() {
      let at = pending.indexOf(0x0a);
      while (at === -1) {
        if (pending.length > MAX_LINE_BYTES || !(await more())) throw cutOff();
        at = pending.indexOf(0x0a);
      }
      const text = pending.toString("utf8", 0, at);
      pending = pending.subarray(at + 1);
      return text;
    },

    async *rows() {
      // The marker stands at the beginning of a line. With a line end put in front, the first line is
      // like every other; `skip` leaves it out again.
      pending = Buffer.concat([Buffer.from("\n"), pending]);
      let skip = 1;
      for (;;) {
        const at = pending.indexOf(END_OF_ROWS);
        const upTo = at === -1 ? pending.length - beginOfMarker(pending) : at + 1;
        if (upTo > skip) yield pending.subarray(skip, upTo);
        skip = Math.max(0, skip - upTo);
        pending = pending.subarray(at === -1 ? upTo : at + END_OF_ROWS.length);
        if (at !== -1) return;
        if (!(await more())) throw cutOff();
      }
    },

    async isOver() {
      while (pending.length === 0) {
        if (!(await more())) return true;
      }
      return false;
    },
  };
}

/** How many bytes at the end may be the beginning of a marker that goes on in the next chunk. */
function beginOfMarker(bytes: Buffer): number {
  for (let length = Math.min(END_OF_ROWS.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(END_OF_ROWS.subarray(0, length))) return length;
  }
  return 0;
}

function cutOff(): BackupError {
  return new BackupError("This backup was cut off, so nothing was restored from it.");
}
