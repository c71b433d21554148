import type { Db } from "@/server/db";
import type { SchemaColumn } from "./read-prisma-schema";

type CatalogIndex = {
  table: string;
  name: string;
  columns: string[];
  primary: boolean;
  unique: boolean;
  plain: boolean;
};

/** What the migrated database really has, in the words of read-prisma-schema.ts. */
export async function readCatalog(db: Db) {
  const columns = await db.$queryRaw<(SchemaColumn & { table: string })[]>`
    SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
           NOT a.attnotnull AS nullable,
           CASE WHEN a.attidentity <> '' THEN 'identity'
                -- 'x'::text, '{}'::jsonb and 'active'::"FeedState" are x, {} and active
                ELSE regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^''(.*)''::.*$', '\\1') END AS default
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
     ORDER BY c.relname, a.attnum`;
  const indexes = await db.$queryRaw<CatalogIndex[]>`
    SELECT t.relname AS "table", i.relname AS name, x.indisprimary AS primary, x.indisunique AS unique,
           x.indpred IS NULL AND x.indexprs IS NULL AS plain,
           array(SELECT coalesce(a.attname::text, '(expression)')
                   FROM unnest(x.indkey::int2[]) WITH ORDINALITY k(attnum, position)
                   LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum AND k.attnum > 0
                  ORDER BY k.position) AS columns
      FROM pg_index x
      JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_class i ON i.oid = x.indexrelid
     WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> '_prisma_migrations'`;
  const foreignKeys = await db.$queryRaw<{ table: string; definition: string }[]>`
    SELECT conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`;
  const enumRows = await db.$queryRaw<{ name: string; values: string[] }[]>`
    SELECT t.typname::text AS name, array_agg(e.enumlabel::text ORDER BY e.enumsortorder) AS values
      FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid
     WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`;

  return {
    tables: [...new Set(columns.map((column) => column.table))],
    enums: Object.fromEntries(enumRows.map((row) => [row.name, row.values])),
    indexes,
    columnsOf: (table: string): SchemaColumn[] =>
      columns.filter((column) => column.table === table).map(({ table: _, ...column }) => column),
    foreignKeysOf: (table: string): string[] =>
      foreignKeys.filter((key) => key.table === table).map((key) => describeForeignKey(key.definition)),
  };
}

function describeForeignKey(definition: string): string {
  const match = definition.match(/FOREIGN KEY \((.*?)\) REFERENCES (\w+)\((.*?)\).*ON DELETE (\w+)/);
  const [, own = definition, table = "", theirs = "", onDelete = ""] = match ?? [];
  return `${own.replaceAll(" ", "")} -> ${table}(${theirs.replaceAll(" ", "")}) ${onDelete.toLowerCase()}`;
}
