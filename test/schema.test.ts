import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { Prisma } from "@/server/db";
import { useDatabase } from "./database";
import { readCatalog } from "./read-catalog";
import { type PrismaSchema, readPrismaSchema } from "./read-prisma-schema";

/** Tables that belong to the installation, not to a workspace. */
const SHARED_TABLES = ["instance", "rate_buckets", "sign_in_throttles", "users", "workspaces"];

const t = useDatabase();
let schema: PrismaSchema;
let catalog: Awaited<ReturnType<typeof readCatalog>>;

beforeAll(async () => {
  schema = await readPrismaSchema(join(import.meta.dirname, "../prisma/schema.prisma"));
  catalog = await readCatalog(t.db);
});

it("reads every model that the generated client has", () => {
  expect(schema.tables.map((table) => table.model).sort()).toEqual(Object.keys(Prisma.ModelName).sort());
});

it("has the tables and enums of the schema and no others", () => {
  expect(catalog.tables.sort()).toEqual(schema.tables.map((table) => table.name).sort());
  expect(catalog.enums).toEqual(schema.enums);
});

it("has the columns of the schema: names, types, nullability, defaults", () => {
  for (const table of schema.tables) {
    expect(byName(catalog.columnsOf(table.name)), table.name).toEqual(byName(table.columns));
  }
});

it("has the primary keys, unique keys and indexes of the schema", () => {
  for (const table of schema.tables) {
    const own = catalog.indexes.filter((index) => index.table === table.name);
    const keys = (of: typeof own) => of.map((index) => index.columns.join(",")).sort();
    const spelled = (lists: string[][]) => lists.map((list) => list.join(",")).sort();
    expect(keys(own.filter((index) => index.primary)), table.name).toEqual([table.primaryKey.join(",")]);
    // Neither partial keys nor indexes on expressions can be said in the schema.
    const plain = own.filter((index) => index.plain && index.unique && !index.primary);
    expect(keys(plain), table.name).toEqual(spelled(table.uniqueKeys));
    // That an index leaves rows out is not in the schema either, but its columns are.
    const indexes = own.filter((index) => !index.unique && isOfSchema(index.name));
    expect(keys(indexes), table.name).toEqual(spelled(table.indexes));
  }
});

it("has the foreign keys of the schema, on both columns", () => {
  for (const table of schema.tables) {
    expect(catalog.foreignKeysOf(table.name).sort(), table.name).toEqual(table.foreignKeys.sort());
  }
});

it("begins every key of a tenant's table with its workspace", () => {
  const shared = schema.tables.filter(
    (table) => !table.columns.some((column) => column.name === "workspace_id"),
  );
  expect(shared.map((table) => table.name).sort()).toEqual(SHARED_TABLES);
  const keys = catalog.indexes.filter((index) => index.unique && !SHARED_TABLES.includes(index.table));
  expect(keys.length).toBeGreaterThan(20);
  for (const key of keys) expect(key.columns[0], `${key.table}: ${key.name}`).toBe("workspace_id");
});

/** As Prisma names them; what a migration adds beyond the schema is named by hand. */
function isOfSchema(name: string): boolean {
  return name.endsWith("_idx");
}

function byName<T extends { name: string }>(columns: T[]): T[] {
  return [...columns].sort((a, b) => (a.name < b.name ? -1 : 1));
}
