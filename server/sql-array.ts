/** Object ids of PostgreSQL's built-in types; they never change. */
const OID = { text: 25, bytea: 17 } as const;

/** Below so many characters, three bytes for each are set aside rather than counted. */
const SHORT = 256;

/**
 * A one-dimensional array of texts or bytes as a query's parameter. The driver sends it in PostgreSQL's
 * binary format (`array_recv`), which costs both sides little more than a copy; printed and parsed again,
 * a batch of documents took a third of an ingest call. Cast the parameter in the statement: `${…}::text[]`.
 */
export class SqlArray {
  constructor(
    private readonly type: keyof typeof OID,
    private readonly values: readonly (string | Buffer | null)[],
  ) {}

  /** What the `pg` driver calls: a Buffer goes out as it is. An array of nothing but nulls is null. */
  toPostgres(): Buffer | null {
    if (this.isEmpty()) return null;
    const buffer = Buffer.allocUnsafe(this.values.reduce((size, value) => size + 4 + roomFor(value), 20));
    const hasNulls = this.values.includes(null) ? 1 : 0;
    let at = 0;
    for (const word of [1, hasNulls, OID[this.type], this.values.length, 1])
      at = buffer.writeInt32BE(word, at);
    for (const value of this.values) at = writeValue(buffer, value, at);
    return buffer.subarray(0, at);
  }

  /** The same as an array literal, for drivers that send text. */
  toLiteral(): string | null {
    if (this.isEmpty()) return null;
    const parts = this.values.map((value) => {
      if (value === null) return "NULL";
      const text = typeof value === "string" ? value : `\\x${value.toString("hex")}`;
      return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
    });
    return `{${parts.join(",")}}`;
  }

  private isEmpty(): boolean {
    return this.values.every((value) => value === null);
  }
}

function roomFor(value: string | Buffer | null): number {
  if (value === null) return 0;
  if (typeof value !== "string") return value.length;
  return value.length <= SHORT ? value.length * 3 : Buffer.byteLength(value);
}

/** Length, then bytes; a null has length -1. @returns where the next value goes. */
function writeValue(buffer: Buffer, value: string | Buffer | null, at: number): number {
  if (value === null) return buffer.writeInt32BE(-1, at);
  const written = typeof value === "string" ? buffer.write(value, at + 4) : value.copy(buffer, at + 4);
  buffer.writeInt32BE(written, at);
  return at + 4 + written;
}
