import type { JsonObject, JsonValue } from "@/sdk/adapter";

/** What a form needs to know of one property of an adapter's config. */
export type ConfigField = {
  name: string;
  /** "Archive pages" for `archivePages`, unless the schema has a title. */
  label: string;
  hint: string | null;
  isRequired: boolean;
  /** What the adapter takes when nothing is entered. */
  fallback: JsonValue | undefined;
} & (
  | { kind: "text"; maxLength: number | undefined; isLong: boolean }
  | { kind: "number"; isInteger: boolean; min: number | undefined; max: number | undefined }
  | { kind: "boolean" }
  | { kind: "choice"; options: JsonValue[] }
  | { kind: "list"; options: string[] | null }
  /** A shape that no control fits: edited as JSON. */
  | { kind: "json" }
);

/** What stands in the controls: text of inputs, ticks, and the ticked of several. */
export type ConfigDraft = Record<string, string | boolean | string[]>;

type Schema = Record<string, unknown>;

/** Longer texts get a box of several lines. */
const LONG_TEXT = 500;

/** The fields of an object's JSON Schema, in its order; none for anything but an object. */
export function readFields(schema: Schema): ConfigField[] {
  const required = new Set(asArray(schema.required));
  return Object.entries(asSchema(schema.properties) ?? {}).map(([name, property]) =>
    readField(name, asSchema(property) ?? {}, required.has(name)),
  );
}

function readField(name: string, written: Schema, isRequired: boolean): ConfigField {
  const schema = { ...withoutNull(written), ...pick(written, ["title", "description", "default"]) };
  const shared = {
    name,
    label: typeof schema.title === "string" ? schema.title : toLabel(name),
    hint: typeof schema.description === "string" ? schema.description : null,
    fallback: schema.default as JsonValue | undefined,
    isRequired: isRequired && schema.default === undefined,
  };
  const options = readOptions(schema);
  if (options) return { ...shared, kind: "choice", options };
  switch (schema.type) {
    case "string": {
      const maxLength = asNumber(schema.maxLength);
      return { ...shared, kind: "text", maxLength, isLong: maxLength !== undefined && maxLength > LONG_TEXT };
    }
    case "integer":
    case "number":
      return {
        ...shared,
        kind: "number",
        isInteger: schema.type === "integer",
        min: asNumber(schema.minimum),
        max: asNumber(schema.maximum),
      };
    case "boolean":
      return { ...shared, kind: "boolean" };
    case "array": {
      const items = asSchema(schema.items) ?? {};
      const choices = readOptions(items);
      if (choices) return { ...shared, kind: "list", options: choices.map(String) };
      return items.type === "string"
        ? { ...shared, kind: "list", options: null }
        : { ...shared, kind: "json" };
    }
    default:
      return { ...shared, kind: "json" };
  }
}

/** Controls as they stand before anyone touched them. */
export function emptyDraft(fields: ConfigField[], config: JsonObject = {}): ConfigDraft {
  return Object.fromEntries(
    fields.map((field) => [field.name, toDraft(field, config[field.name] ?? field.fallback)]),
  );
}

function toDraft(field: ConfigField, value: JsonValue | undefined): string | boolean | string[] {
  if (field.kind === "boolean") return value === true;
  if (field.kind === "list") {
    const entries = Array.isArray(value) ? value.map(String) : [];
    return field.options ? entries : entries.join("\n");
  }
  if (value === undefined || value === null) return "";
  if (field.kind === "choice") return JSON.stringify(value);
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * The config to send. What was left at its default is left out, so that it can change with the adapter.
 * What cannot be read as the field's type is sent as it was typed: the server says what is wrong with it.
 */
export function toConfig(fields: ConfigField[], draft: ConfigDraft): JsonObject {
  const config: JsonObject = {};
  for (const field of fields) {
    const value = toValue(field, draft[field.name]);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(field.fallback)) continue;
    config[field.name] = value;
  }
  return config;
}

function toValue(field: ConfigField, entered: ConfigDraft[string] | undefined): JsonValue | undefined {
  if (entered === undefined) return undefined;
  if (field.kind === "boolean") return entered === true;
  if (field.kind === "list") {
    const entries = Array.isArray(entered)
      ? entered
      : String(entered)
          .split("\n")
          .map((line) => line.trim());
    const filled = entries.filter(Boolean);
    return filled.length === 0 && field.fallback === undefined && !field.isRequired ? undefined : filled;
  }
  const text = String(entered);
  if (text.trim() === "") return undefined;
  if (field.kind === "text") return text;
  if (field.kind === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** "archivePages" → "Archive pages", "base_url" → "Base url". */
function toLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `X | null` as X: an empty control already means null. */
function withoutNull(schema: Schema): Schema {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return types.length === 1 ? { ...schema, type: types[0] } : schema;
  }
  const alternatives = asArray(schema.anyOf).map(asSchema);
  const others = alternatives.filter((other) => other && other.type !== "null");
  const [only] = others;
  return only && others.length === 1 && alternatives.length === 2 ? only : schema;
}

function readOptions(schema: Schema): JsonValue[] | null {
  if (Array.isArray(schema.enum)) return schema.enum as JsonValue[];
  const alternatives = asArray(schema.anyOf).map(asSchema);
  const isChoice = alternatives.length > 0 && alternatives.every((other) => other && "const" in other);
  return isChoice ? alternatives.map((other) => other?.const as JsonValue) : null;
}

function pick(schema: Schema, names: string[]): Schema {
  return Object.fromEntries(names.filter((name) => name in schema).map((name) => [name, schema[name]]));
}

function asSchema(value: unknown): Schema | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : null;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asNumber(value: unknown): number | undefined {
  // Zod writes the safe integers' ends where nothing was said.
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}
