import { readFile } from "node:fs/promises";

export type SchemaColumn = {
  name: string;
  /** As PostgreSQL's format_type() spells it. */
  type: string;
  nullable: boolean;
  /** Without casts; `identity` for autoincrement(). */
  default: string | null;
};

export type SchemaTable = {
  model: string;
  name: string;
  columns: SchemaColumn[];
  primaryKey: string[];
  uniqueKeys: string[][];
  indexes: string[][];
  /** `column,column -> table(column,column) on delete` */
  foreignKeys: string[];
};

export type PrismaSchema = { enums: Record<string, string[]>; tables: SchemaTable[] };

const TYPES: Record<string, string> = {
  String: "text",
  Int: "integer",
  BigInt: "bigint",
  Float: "double precision",
  Boolean: "boolean",
  DateTime: "timestamp(3) without time zone",
  Decimal: "numeric(65,30)",
  Json: "jsonb",
  Bytes: "bytea",
};
const NATIVE_TYPES: Record<string, string> = {
  "@db.Timestamptz(6)": "timestamp(6) with time zone",
  "@db.Date": "date",
  "@db.Decimal": "numeric",
};

type Field = { name: string; column: string; type: string; suffix: string; attributes: string };

/**
 * Reads what prisma/schema.prisma promises about the tables. The generated client keeps names and types
 * alone: nullability, defaults and keys are in the schema's text only.
 */
export async function readPrismaSchema(path: string): Promise<PrismaSchema> {
  const text = (await readFile(path, "utf8")).replace(/^\s*\/\/.*$/gm, "");
  const blocks = [...text.matchAll(/^(enum|model) (\w+) \{\n([\s\S]*?)^\}/gm)].map(
    ([, kind = "", name = "", body = ""]) => ({
      kind,
      name,
      lines: body.split("\n").map((line) => line.trim()),
    }),
  );
  const enums = Object.fromEntries(
    blocks.filter((block) => block.kind === "enum").map((block) => [block.name, block.lines.filter(Boolean)]),
  );
  const models = blocks.filter((block) => block.kind === "model");
  const names = new Map(models.map((model) => [model.name, tableName(model)]));
  const fieldsOf = new Map(models.map((model) => [model.name, readFields(model.lines)]));

  const tables = models.map((model): SchemaTable => {
    const fields = fieldsOf.get(model.name) ?? [];
    const columns = fields.filter((field) => !names.has(field.type));
    const columnNames = (list: string, of = fields) =>
      list.split(",").map((name) => of.find((field) => field.name === name.trim())?.column ?? `?${name}`);
    const blockKeys = (attribute: string) =>
      model.lines.flatMap((line) => line.match(new RegExp(`^@@${attribute}\\(\\[(.*?)\\]`))?.[1] ?? []);
    const single = (attribute: RegExp) =>
      columns.filter((field) => attribute.test(field.attributes)).map((f) => [f.column]);
    return {
      model: model.name,
      name: tableName(model),
      columns: columns.map((field) => toColumn(field, enums)),
      primaryKey: [...single(/@id\b/), ...blockKeys("id").map((list) => columnNames(list))][0] ?? [],
      uniqueKeys: [...single(/@unique\b/), ...blockKeys("unique").map((list) => columnNames(list))],
      indexes: blockKeys("index").map((list) => columnNames(list)),
      foreignKeys: fields.flatMap((field) => {
        const match = field.attributes.match(
          /@relation\(fields: \[(.*?)\], references: \[(.*?)\], onDelete: (\w+)/,
        );
        if (!match) return [];
        const [, own = "", theirs = "", onDelete = ""] = match;
        const target = columnNames(theirs, fieldsOf.get(field.type));
        return `${columnNames(own)} -> ${names.get(field.type)}(${target}) ${onDelete.toLowerCase()}`;
      }),
    };
  });
  return { enums, tables };
}

function tableName(model: { name: string; lines: string[] }): string {
  return model.lines.flatMap((line) => line.match(/^@@map\("(.*)"\)/)?.[1] ?? [])[0] ?? model.name;
}

function readFields(lines: string[]): Field[] {
  return lines.flatMap((line) => {
    const match = line.match(/^(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/);
    if (!match) return [];
    const [, name = "", type = "", suffix = "", attributes = ""] = match;
    return { name, type, suffix, attributes, column: attributes.match(/@map\("(.*?)"\)/)?.[1] ?? name };
  });
}

function toColumn(field: Field, enums: Record<string, string[]>): SchemaColumn {
  const native = field.attributes.match(/@db\.\w+(\(\d+\))?/)?.[0];
  const scalar = native ? (NATIVE_TYPES[native] ?? `unknown ${native}`) : TYPES[field.type];
  const base = enums[field.type] ? `"${field.type}"` : (scalar ?? `unknown ${field.type}`);
  const value = field.attributes.match(/@default\((.*?\)?)\)(?=\s|$)/)?.[1];
  return {
    name: field.column,
    type: field.suffix === "[]" ? `${base}[]` : base,
    nullable: field.suffix === "?",
    default:
      value === undefined ? null : value === "autoincrement()" ? "identity" : value.replaceAll('"', ""),
  };
}
