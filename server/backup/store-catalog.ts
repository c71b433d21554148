import type pg from "pg";

export type StoreTable = { name: string; oid: string; columns: string[]; refersTo: string[] };

/**
 * The tables of `names` that are there, in an order in which they can be loaded: what others refer to
 * comes before them. Generated columns are left out: the database computes them anew.
 */
export async function listTables(client: pg.Client, names: readonly string[]): Promise<StoreTable[]> {
  const { rows } = await client.query<StoreTable>(
    `SELECT c.relname AS name, c.oid::text AS oid,
            ARRAY(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                   ORDER BY a.attnum) AS columns,
            ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f' AND r.oid <> c.oid) AS "refersTo"
       FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1::text[])
      ORDER BY c.relname`,
    [names],
  );
  return inLoadOrder(rows);
}

function inLoadOrder(tables: readonly StoreTable[]): StoreTable[] {
  const ordered: StoreTable[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = new Set(left.map((table) => table.name));
    const free = left.filter((table) => !table.refersTo.some((name) => names.has(name)));
    if (free.length === 0)
      throw new Error(`tables refer to each other in a circle: ${[...names].join(", ")}`);
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

/** The sequences of these tables and of these names, with the last number each gave out. */
export async function listSequences(
  client: pg.Client,
  { tables, sequences }: { tables: readonly string[]; sequences: readonly string[] },
): Promise<{ name: string; lastValue: string }[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT s.relname::text AS name
       FROM pg_class s
       LEFT JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
       LEFT JOIN pg_class t ON t.oid = d.refobjid
      WHERE s.relnamespace = current_schema()::regnamespace AND s.relkind = 'S'
        AND (t.relname = ANY ($1::text[]) OR s.relname = ANY ($2::text[]))
      ORDER BY 1`,
    [tables, sequences],
  );
  const values: { name: string; lastValue: string }[] = [];
  for (const { name } of rows) {
    const { rows: read } = await client.query<{ value: string }>(
      `SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END)::text AS value FROM ${client.escapeIdentifier(name)}`,
    );
    if (read[0]) values.push({ name, lastValue: read[0].value });
  }
  return values;
}

/** The same text for the same value on every server and in every session. */
export async function fixTextForms(client: pg.Client): Promise<void> {
  await client.query(`
    SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
    SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8';
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`);
}

/** `"documents", "feeds"`: for the statements that take no parameters for names. */
export function nameList(client: pg.Client, names: readonly string[]): string {
  return names.map((name) => client.escapeIdentifier(name)).join(", ");
}
