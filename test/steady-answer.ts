import { EXAMPLE_IDS } from "@/server/rest/reference/notes";

const KNOWN = new Set<string>(Object.values(EXAMPLE_IDS));
const FRESH = "01jz7d1e9sf2r8v5k3m9q4t6wx";
const SECRET = `whsec_${"VGlkZW1hcmsgc2lnbnMgd2l0aCB0aGlzLiBOb3QhIQ==".slice(0, 44)}`;

/** Members whose values are different every time, and what stands for them. */
const BY_NAME: Record<string, unknown> = {
  seq: "1042",
  head: "1043",
  safePoint: "1043",
  horizon: "0",
  epoch: "5f0c9d3e-6d0c-4e0e-9f5e-2d1b7c1a9a10",
  requestId: "req_6f1d2c3b4a5968778695a4b3",
  secret: SECRET,
  ms: 12,
  totalMs: 12,
  fetchMs: 8,
  commitMs: 4,
};

/** An answer with everything in it that is different every time replaced, so that two can be compared. */
export function steadyAnswer(value: unknown, upstream: string, name = ""): unknown {
  if (value !== null && value !== undefined && name in BY_NAME && typeof value === typeof BY_NAME[name])
    return BY_NAME[name];
  if (typeof value === "string") return steadyText(value, upstream);
  if (Array.isArray(value)) return value.map((item) => steadyAnswer(item, upstream));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, steadyAnswer(item, upstream, key)]),
  );
}

function steadyText(text: string, upstream: string): string {
  return (
    text
      .replaceAll(upstream, "https://harbour.example")
      // Times of the examples themselves stay.
      .replace(/\b(?!2026-06-1[45]T)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-06-15T09:00:05.000Z")
      .replace(/\b(src|feed|run|tok|ctr|rej|hold|whk|dlv|usr)_[0-9a-z]{26}\b/g, (id, prefix) =>
        KNOWN.has(id) ? id : `${prefix}_${FRESH}`,
      )
      .replace(/\b(?:doc)_[0-9a-z]{26}\b/g, (id) => id)
      .replace(/^[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)?$/, "AZd1Yk3b8q5cT2m0")
      .replace(/"seq":"\d+"/g, '"seq":"1042"')
      .replace(/^id: .+$/gm, "id: AZd1Yk3b8q5cT2m0")
  );
}
