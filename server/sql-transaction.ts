import type pg from "pg";
import { type Db, nameStatement, poolOf } from "@/server/db";
import { SqlArray } from "@/server/sql-array";
import { inTransaction, retrying } from "./transaction";

/** What a use case may ask of a transaction when it needs no ORM; Prisma's client offers the same. */
export type SqlTx = {
  $queryRaw<Rows>(text: TemplateStringsArray, ...values: unknown[]): PromiseLike<Rows>;
  /** @returns the number of rows written. */
  $executeRaw(text: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
};

/**
 * As `inTransaction`, but straight on the driver: Prisma's engine costs about 0.9 ms of processor time
 * for the five statements of an ingest call, a quarter of all it takes (bench/ingest.ts). Only for
 * statements whose columns come back alike from both: text, booleans, int, timestamptz; a bigint is text.
 *
 * @throws AppError unavailable as inTransaction does.
 */
export async function inSqlTransaction<T>(db: Db, work: (tx: SqlTx) => Promise<T>): Promise<T> {
  const pool = poolOf(db);
  if (!pool) return inTransaction(db, (tx) => work(textOnly(tx)));
  return retrying(async () => {
    const client = await pool.connect();
    // The pool listens while a connection is idle. Lost in our hands, its queries tell us; the event
    // besides would end the process if nobody listened.
    client.on("error", ignore);
    const giveBack = (broken: boolean) => {
      client.off("error", ignore);
      client.release(broken);
    };
    try {
      await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
      const result = await work(sqlTx(client));
      await client.query("COMMIT");
      giveBack(false);
      return result;
    } catch (error) {
      // A connection that cannot roll back is not worth keeping.
      const broken = await client.query("ROLLBACK").then(
        () => false,
        () => true,
      );
      giveBack(broken);
      throw error;
    }
  });
}

function ignore(): void {}

/** Prisma knows no binary arrays. */
function textOnly(tx: SqlTx): SqlTx {
  const toText = (value: unknown) => (value instanceof SqlArray ? value.toLiteral() : value);
  return {
    $queryRaw: (text, ...values) => tx.$queryRaw(text, ...values.map(toText)),
    $executeRaw: (text, ...values) => tx.$executeRaw(text, ...values.map(toText)),
  };
}

function sqlTx(client: pg.PoolClient): SqlTx {
  return {
    async $queryRaw<Rows>(text: TemplateStringsArray, ...values: unknown[]) {
      return (await client.query(toQuery(text, values))).rows as Rows;
    },
    async $executeRaw(text, ...values) {
      return (await client.query(toQuery(text, values))).rowCount ?? 0;
    },
  };
}

// A tagged template hands over the same strings on every call.
const texts = new WeakMap<TemplateStringsArray, { text: string; name: string | undefined }>();

function toQuery(strings: TemplateStringsArray, values: unknown[]): pg.QueryConfig {
  let query = texts.get(strings);
  if (!query) {
    const text = strings.reduce((all, part, index) => `${all}$${index}${part}`);
    query = { text, name: nameStatement(text) || undefined };
    texts.set(strings, query);
  }
  return { ...query, values };
}
