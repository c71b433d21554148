import fc from "fast-check";
import type { ModelCursor, ModelDocument, ModelWatermark } from "./store-model";

/** Which cursor a push claims to have read. */
export type Before =
  | { kind: "absent" }
  | { kind: "none" }
  | { kind: "stored" }
  | { kind: "value"; n: number };

export type Operation =
  | {
      op: "push";
      documents: ModelDocument[];
      cursor: number | null | undefined;
      spelling: number;
      before: Before;
      inRun: boolean;
    }
  | { op: "replay"; which: number }
  | { op: "reset"; which: number | null }
  | { op: "begin"; listing: boolean }
  | { op: "finish"; complete: boolean }
  | { op: "decide"; approve: boolean };

const document: fc.Arbitrary<ModelDocument> = fc.record({
  key: fc.integer({ min: 0, max: 7 }).map((i) => `key-${i}`),
  version: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 2 }),
  isOtherKind: fc.integer({ min: 0, max: 19 }).map((i) => i === 0),
  content: fc.integer({ min: 0, max: 2 }),
  deleted: fc.integer({ min: 0, max: 3 }).map((i) => i === 0),
});

const before: fc.Arbitrary<Before> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Before>({ kind: "absent" }) },
  { weight: 4, arbitrary: fc.constant<Before>({ kind: "stored" }) },
  { weight: 1, arbitrary: fc.constant<Before>({ kind: "none" }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 }).map((n): Before => ({ kind: "value", n })) },
);

const push: fc.Arbitrary<Operation> = fc.record({
  op: fc.constant("push" as const),
  documents: fc.array(document, { maxLength: 5 }),
  cursor: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 9 }) },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
  ),
  spelling: fc.integer({ min: 0, max: 3 }),
  before,
  inRun: fc.boolean(),
});

export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: push },
    { weight: 2, arbitrary: fc.record({ op: fc.constant("replay" as const), which: fc.nat(20) }) },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant("reset" as const), which: fc.option(fc.nat(20), { freq: 2 }) }),
    },
    { weight: 2, arbitrary: fc.record({ op: fc.constant("begin" as const), listing: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant("finish" as const), complete: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant("decide" as const), approve: fc.boolean() }) },
  ),
  { minLength: 5, maxLength: 30, size: "max" },
);

/** Spells cursor number n of a watermark in one of several ways that mean the same. */
export function spellCursor(watermark: ModelWatermark, n: number, spelling: number): ModelCursor {
  if (watermark === "date") {
    const at = new Date(Date.UTC(2026, 0, 1, 0, n));
    const local = new Date(at.getTime() + 345 * 60_000).toISOString().slice(0, 19);
    const wire = [
      at.toISOString(),
      at.toISOString().replace(".000Z", "Z"),
      `${local}+05:45`,
      at.toISOString().replace(".000Z", ".000000Z"),
    ][spelling];
    return { n, wire: wire ?? "", recent: [] };
  }
  if (watermark === "idSet") {
    // 9 → 10 digits: text order would be wrong.
    const high = String(9_999_999_995n + BigInt(n));
    if (spelling === 0) return { n, wire: high, recent: [] };
    if (spelling === 1) return { n, wire: `00${high}`, recent: [] };
    const recent = spelling === 2 ? ["r1", "r2"] : ["r3", "r1"];
    return { n, wire: JSON.stringify({ high, recent }), recent };
  }
  return { n, wire: `token/${n}`, recent: [] };
}

export function spellVersion(version: number, isOtherKind: boolean, spelling: number): string {
  if (!isOtherKind) return spelling % 2 === 0 ? String(version) : `0${version}`;
  // Apart by less than a millisecond: Date would call them equal.
  const fraction = `.00000${version}`;
  return spelling % 2 === 0 ? `2026-05-01T10:00:00${fraction}Z` : `2026-05-01T15:45:00${fraction}000+05:45`;
}
