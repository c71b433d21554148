import { compareDecimals } from "./compare-decimals";
import {
  type PreparedDocument,
  type PreparedItem,
  prepareDocument,
  type Rejection,
} from "./prepare-document";

export type Batch = {
  /** One per key, in the order sent. */
  documents: PreparedDocument[];
  rejections: Rejection[];
  /** Of every key received, skipped and rejected included: a listing run's evidence against the sweep. */
  seenIds: string[];
  /** Duplicates inside the call that lost. */
  skipped: number;
  versionKind: "decimal" | "timestamp" | null;
};

/** Checks and hashes the items; the part that needs no database, done before the transaction. */
export function prepareItems(feedId: string, items: unknown[], fromAdapter: boolean): PreparedItem[] {
  return items.map((item, index) => prepareDocument(feedId, item, index, fromAdapter));
}

/**
 * Settles duplicates inside the call: the greatest version wins, the first of
 * equals; without versions the last. The feed's first accepted version fixes its kind.
 */
export function settleBatch(items: PreparedItem[], feedVersionKind: Batch["versionKind"]): Batch {
  let versionKind = feedVersionKind;
  const rejections: Rejection[] = [];
  const seenIds = new Set<string>();
  const winners = new Map<string, PreparedDocument>();
  let skipped = 0;

  for (const prepared of items) {
    if (!prepared.ok) {
      if (prepared.documentId) seenIds.add(prepared.documentId);
      rejections.push(prepared.rejection);
      continue;
    }
    const { document } = prepared;
    seenIds.add(document.id);
    if (document.version) {
      versionKind ??= document.version.kind;
      if (document.version.kind !== versionKind) {
        rejections.push(mismatch(document, versionKind));
        continue;
      }
    }
    const rival = winners.get(document.id);
    if (rival) skipped += 1;
    if (!rival || beats(document, rival)) {
      winners.delete(document.id); // re-inserted, so that order is the winners' own
      winners.set(document.id, document);
    }
  }
  return { documents: [...winners.values()], rejections, seenIds: [...seenIds], skipped, versionKind };
}

function beats(later: PreparedDocument, earlier: PreparedDocument): boolean {
  if (!later.version) return earlier.version === null;
  if (!earlier.version) return true;
  return compareDecimals(later.version.order, earlier.version.order) > 0;
}

function mismatch(document: PreparedDocument, kind: "decimal" | "timestamp"): Rejection {
  const expected = kind === "decimal" ? "decimal integers" : "RFC 3339 timestamps";
  return {
    index: document.index,
    id: document.externalId,
    code: "version_kind_mismatch",
    message: `Versions of this feed are ${expected}; this one is not.`,
  };
}
