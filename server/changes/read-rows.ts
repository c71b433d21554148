import { type Db, nameStatement, poolOf } from "@/server/db";
import { retrying } from "@/server/transaction";

/**
 * Asks one statement whose columns are all text, straight on the driver: a page is little more than its
 * rows, and Prisma's engine would cost as much as they do. Alone in its transaction, so READ COMMITTED
 * and with a snapshot of its own.
 *
 * @throws AppError unavailable when the database cannot be reached.
 */
export async function readRows<Row extends (string | null)[]>(
  db: Db,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const pool = poolOf(db);
  return retrying(async () => {
    if (pool) {
      const name = nameStatement(text) || undefined;
      return (await pool.query<Row>({ name, text, values, rowMode: "array" })).rows;
    }
    // Behind a transaction pooler, and for tests that wrap the client.
    const rows = await db.$queryRawUnsafe<Record<string, string | null>[]>(text, ...values);
    return rows.map((row) => Object.values(row) as Row);
  });
}
