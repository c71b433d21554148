import type { JsonObject, JsonValue } from "@/sdk/adapter";

/** Deeper metadata is refused: Postgres parses jsonb recursively on a bounded stack. */
export const MAX_DEPTH = 64;

export class TooDeepError extends Error {}

/**
 * Makes text storable: Postgres cannot hold U+0000 in text, and UTF-8 cannot hold a lone surrogate.
 * Only for content; in ids and cursors both are refused, because a changed id is another id.
 */
export function cleanText(text: string): string {
  const withoutNul = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/**
 * JSON with sorted keys and cleaned strings: equal values give equal text, and Postgres accepts it.
 *
 * @throws TooDeepError past MAX_DEPTH levels.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new TooDeepError();
  if (typeof value === "string") return JSON.stringify(cleanText(value));
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.keys(value)
      .sort()
      .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
      .map(
        (key) =>
          `${JSON.stringify(cleanText(key))}:${canonicalJson((value as Record<string, unknown>)[key], depth + 1)}`,
      );
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** For keeping what a writer sent, whatever it was: strings cut, depth cut, always storable. */
export function toStorableJson(value: unknown, maxString: number, depth = 0): JsonValue {
  if (typeof value === "string") {
    // The visible symbol stands for U+0000, so that a person can see why the item was refused.
    const visible = value.slice(0, maxString).replaceAll("\0", "\u2400").toWellFormed();
    return value.length > maxString ? `${visible}… (cut, ${value.length} characters)` : visible;
  }
  if (typeof value !== "object" || value === null) {
    return typeof value === "number" || typeof value === "boolean" ? value : null;
  }
  if (depth >= 16) return "… (nested too deep)";
  if (Array.isArray(value))
    return value.slice(0, 1000).map((item) => toStorableJson(item, maxString, depth + 1));
  const object: JsonObject = {};
  for (const [key, item] of Object.entries(value).slice(0, 1000)) {
    object[key.slice(0, 1000).replaceAll("\0", "\u2400").toWellFormed()] = toStorableJson(
      item,
      maxString,
      depth + 1,
    );
  }
  return object;
}
