import { hash } from "node:crypto";
import { canonicalJson, cleanText, TooDeepError } from "./canonical-json";
import { documentId } from "./document-id";
import { instantOrder, instantToIso, parseInstant } from "./instant";

export type RejectionCode =
  | "document_invalid"
  | "external_id_missing"
  | "external_id_invalid"
  | "external_id_too_long"
  | "version_invalid"
  | "version_kind_mismatch"
  | "version_missing"
  | "text_too_large"
  | "metadata_too_large"
  | "date_invalid";

export type Rejection = { index: number; id: string | null; code: RejectionCode; message: string };

/** A sent item, checked, cleaned and hashed; ready for the upsert. */
export type PreparedDocument = {
  index: number;
  externalId: string;
  /** Only where it differs from externalId. */
  key: string | null;
  id: string;
  version: { text: string; kind: "decimal" | "timestamp"; order: string } | null;
  deleted: boolean;
  /** SHA-256. */
  contentHash: Buffer;
  title: string | null;
  text: string | null;
  format: "text" | "html" | "markdown";
  url: string | null;
  author: string | null;
  date: string | null;
  /** Canonical JSON. */
  metadata: string | null;
  revision: string | null;
};

const MAX_ID_BYTES = 8192;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_METADATA_BYTES = 64 * 1024;
const MAX_VERSION_DIGITS = 38;

export type PreparedItem =
  | { ok: true; document: PreparedDocument }
  /** `documentId` is known when the id itself was fine. */
  | { ok: false; rejection: Rejection; documentId: string | null };

class ItemError extends Error {
  constructor(
    readonly code: RejectionCode,
    message: string,
    readonly documentId: string | null = null,
  ) {
    super(message);
  }
}

/** Checks one sent item, without the database. */
export function prepareDocument(
  feedId: string,
  raw: unknown,
  index: number,
  fromAdapter: boolean,
): PreparedItem {
  try {
    return { ok: true, document: prepare(feedId, raw, index, fromAdapter) };
  } catch (error) {
    if (!(error instanceof ItemError)) throw error;
    const id = readIdForReport(raw);
    return {
      ok: false,
      rejection: { index, id, code: error.code, message: error.message },
      documentId: error.documentId,
    };
  }
}

function prepare(feedId: string, raw: unknown, index: number, fromAdapter: boolean): PreparedDocument {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new ItemError("document_invalid", "A document is an object.");
  }
  const item = raw as Record<string, unknown>;
  const externalId = readId(item.id, "id");
  const key =
    !fromAdapter || item.key === undefined || item.key === null ? externalId : readId(item.key, "key");
  const id = documentId(feedId, key);
  try {
    return { index, externalId, key: key === externalId ? null : key, id, ...prepareContent(item) };
  } catch (error) {
    throw error instanceof ItemError ? new ItemError(error.code, error.message, id) : error;
  }
}

function prepareContent(item: Record<string, unknown>) {
  const version = readVersion(item.version);
  const deleted = readDeleted(item.deleted);
  const text = readText(item.text, "text");
  // A third of the cap in UTF-16 units cannot pass it in bytes, which spares most texts the count.
  if (text !== null && text.length > MAX_TEXT_BYTES / 3 && Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    throw new ItemError("text_too_large", "The text is over 1 MiB of UTF-8.");
  }
  const content = {
    title: readText(item.title, "title"),
    text,
    url: readText(item.url, "url"),
    author: readText(item.author, "author"),
    date: readDate(item.date),
    metadata: readMetadata(item.metadata),
    format: readFormat(item.format),
    revision: readText(item.revision, "revision"),
  };
  return { version, deleted, contentHash: hashContent(content), ...content };
}

function readId(value: unknown, field: "id" | "key"): string {
  if (value === undefined || value === null)
    throw new ItemError("external_id_missing", `The document has no ${field}.`);
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return String(value);
    throw new ItemError(
      "external_id_invalid",
      `The ${field} is a number that JSON readers round; send ids beyond 2^53 as strings.`,
    );
  }
  if (typeof value !== "string") throw new ItemError("external_id_invalid", `The ${field} is not a string.`);
  if (value.trim() === "") throw new ItemError("external_id_missing", `The ${field} is empty.`);
  if (value.includes("\0")) throw new ItemError("external_id_invalid", `The ${field} contains U+0000.`);
  if (!value.isWellFormed())
    throw new ItemError("external_id_invalid", `The ${field} contains a lone surrogate.`);
  if (Buffer.byteLength(value) > MAX_ID_BYTES) {
    throw new ItemError("external_id_too_long", `The ${field} is over ${MAX_ID_BYTES} bytes of UTF-8.`);
  }
  return value;
}

function readVersion(value: unknown): PreparedDocument["version"] {
  if (value === undefined || value === null) return null;
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new ItemError(
        "version_invalid",
        "A numeric version is a whole number up to 2^53; send larger ones as strings.",
      );
    }
    return { text: String(value), kind: "decimal", order: String(value) };
  }
  if (typeof value !== "string")
    throw new ItemError("version_invalid", "The version is neither a string nor an integer.");
  if (/^\d+$/.test(value)) {
    if (value.length > MAX_VERSION_DIGITS) {
      throw new ItemError("version_invalid", `A decimal version has at most ${MAX_VERSION_DIGITS} digits.`);
    }
    return { text: value, kind: "decimal", order: value };
  }
  const instant = parseInstant(value);
  if (!instant) {
    throw new ItemError(
      "version_invalid",
      "A version is a decimal integer or an RFC 3339 timestamp; an opaque revision goes into `revision`.",
    );
  }
  return { text: value, kind: "timestamp", order: instantOrder(instant) };
}

function readDeleted(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw new ItemError("document_invalid", "`deleted` is not a boolean.");
  return value;
}

function readText(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw new ItemError("document_invalid", `\`${field}\` is not a string.`);
  return cleanText(value);
}

function readFormat(value: unknown): PreparedDocument["format"] {
  if (value === undefined || value === null) return "text";
  if (value === "text" || value === "html" || value === "markdown") return value;
  throw new ItemError("document_invalid", "`format` is none of text, html, markdown.");
}

function readDate(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw new ItemError("document_invalid", "`date` is not a string.");
  const instant = parseInstant(value);
  const iso = instant && instantToIso(instant);
  if (!iso)
    throw new ItemError("date_invalid", "The date is not an RFC 3339 timestamp of the years 0001 to 9999.");
  return iso;
}

function readMetadata(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new ItemError("document_invalid", "`metadata` is not an object.");
  }
  try {
    const json = canonicalJson(value);
    if (Buffer.byteLength(json) <= MAX_METADATA_BYTES) return json;
  } catch (error) {
    if (error instanceof TooDeepError || error instanceof RangeError) {
      throw new ItemError("document_invalid", "`metadata` is nested too deep.");
    }
    throw error;
  }
  throw new ItemError("metadata_too_large", "The metadata is over 64 KiB of JSON.");
}

type Content = Pick<
  PreparedDocument,
  "title" | "text" | "url" | "author" | "date" | "metadata" | "format" | "revision"
>;

/**
 * An undated document shows when it was first seen; that is not part of it, so it is not hashed. Lengths
 * keep the fields apart; escaping them would cost more than the hashing.
 */
function hashContent(c: Content): Buffer {
  const parts = [c.title, c.text, c.url, c.author, c.date, c.metadata, c.format, c.revision];
  return hash(
    "sha256",
    parts.map((part) => (part === null ? "-" : `${part.length}:${part}`)).join(","),
    "buffer",
  );
}

function readIdForReport(raw: unknown): string | null {
  const id = typeof raw === "object" && raw !== null ? (raw as { id?: unknown }).id : null;
  if (typeof id === "number") return String(id);
  return typeof id === "string" ? id.slice(0, 200).replaceAll("\0", "\u2400").toWellFormed() : null;
}
