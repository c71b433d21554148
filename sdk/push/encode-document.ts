export type EncodedDocument = {
  /** Its place among the caller's documents, from 0. */
  index: number;
  id: string | null;
  json: string;
  /** Of `json` in UTF-8. */
  bytes: number;
};

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}

/**
 * A document as JSON. A bigint becomes its digits, in whatever field: as a JSON number it would be rounded
 * by whoever reads it.
 *
 * @throws TypeError when it cannot be written as JSON (a circle, a function).
 */
export function encodeDocument(document: unknown, index: number): EncodedDocument {
  const json: string | undefined = JSON.stringify(document, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  if (json === undefined) throw new TypeError(`a ${typeof document} has no JSON form`);
  return { index, id: idOf(document), json, bytes: byteLength(json) };
}

export function idOf(document: unknown): string | null {
  if (typeof document !== "object" || document === null || !("id" in document)) return null;
  const { id } = document;
  return typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : null;
}
