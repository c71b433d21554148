import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type Db, Prisma, type Tx } from "@/server/db";
import { AppError } from "@/server/errors";

/** More would only queue behind the same rivals; each try waits up to twice as long as the last. */
const MAX_TRIES = 6;
const FIRST_DELAY_MS = 15;

/**
 * Runs `work` in one READ COMMITTED transaction. A deadlock or serialisation failure is tried again
 * with jitter; `work` must therefore have no effect outside the transaction.
 *
 * @param options.timeoutMs for work whose size nobody bounds; the client's own limit when absent.
 * @throws AppError unavailable when the database cannot be reached or closed the connection. Whether
 *   a commit in flight took effect is then unknown; every write here can be repeated.
 */
export async function inTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<T> {
  return retrying(() => db.$transaction(work, timeoutMs === undefined ? undefined : { timeout: timeoutMs }));
}

/** Tries a whole transaction again where its rivals made it fail, and names a database that is away. */
export async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (isWriteConflict(error) && attempt < MAX_TRIES) {
        await delay(Math.random() * FIRST_DELAY_MS * 2 ** attempt);
        continue;
      }
      throw asUnavailable(error) ?? error;
    }
  }
}

/** Deadlock (40P01) or serialisation failure (40001), by ORM or raw query. */
export function isWriteConflict(error: unknown): boolean {
  const code = sqlState(error);
  return code === "40P01" || code === "40001" || prismaCode(error) === "P2034";
}

/** A unique constraint refused the row: P2002 by ORM, P2010 with 23505 by raw query. */
export function isDuplicate(error: unknown): boolean {
  return prismaCode(error) === "P2002" || sqlState(error) === "23505";
}

/** Somebody held a lock for longer than `lock_timeout` allows to wait. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === "55P03";
}

// Connection refused or closed, too many connections, server starting, stopping or crashed;
// P2024/P2028: no connection became free in time, or the transaction's connection went away.
const UNAVAILABLE_PRISMA = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"]);
const UNAVAILABLE_SQLSTATE = /^(08...|57P0[123]|53300)$/;
const UNAVAILABLE_TEXT =
  /Can't reach database server|ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|connection is closed|not queryable|Client has encountered a connection error|timeout exceeded when trying to connect|server closed the connection/i;

/** The `unavailable` error to throw instead, when the database itself is the cause; else null. */
export function asUnavailable(error: unknown): AppError | null {
  if (error instanceof AppError) return null;
  const code = prismaCode(error);
  const isOurs =
    (code !== null && UNAVAILABLE_PRISMA.has(code)) || UNAVAILABLE_SQLSTATE.test(sqlState(error) ?? "");
  if (!isOurs && !UNAVAILABLE_TEXT.test(errorText(error))) return null;
  return new AppError(
    "unavailable",
    "The database cannot be reached right now. Nothing that was confirmed is lost; try again shortly.",
    { retryAfterSeconds: 2 },
    { cause: error },
  );
}

function prismaCode(error: unknown): string | null {
  return error instanceof Prisma.PrismaClientKnownRequestError ? error.code : null;
}

function sqlState(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.code ?? null;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const meta = error.meta as
    | { driverAdapterError?: { cause?: { originalCode?: string; code?: string } } }
    | undefined;
  return meta?.driverAdapterError?.cause?.originalCode ?? meta?.driverAdapterError?.cause?.code ?? null;
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const meta = (error as { meta?: unknown }).meta;
  return `${error.message} ${meta ? JSON.stringify(meta) : ""} ${error.cause instanceof Error ? error.cause.message : ""}`;
}
