/** Reused, for encoding is synchronous: memory that is fresh for every page costs as much as what is written into it. */
const scratch = Buffer.allocUnsafeSlow(1024 * 1024);
/** No character of a string takes more bytes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * What the pieces are together, in UTF-8. Piece by piece, while each is in the processor's cache: put together as one
 * string first, the hundred changes of a page take three times as long (bench/changes.ts).
 */
export function encodePieces(pieces: readonly string[]): Buffer {
  const full: Buffer[] = [];
  let at = 0;
  const empty = () => {
    full.push(Buffer.from(scratch.subarray(0, at)));
    at = 0;
  };
  for (const piece of pieces) {
    const mostBytes = piece.length * MAX_BYTES_PER_UNIT;
    if (mostBytes > scratch.length - at) empty();
    if (mostBytes > scratch.length) full.push(Buffer.from(piece));
    else at += scratch.write(piece, at);
  }
  empty();
  return full.length === 1 ? (full[0] as Buffer) : Buffer.concat(full);
}
