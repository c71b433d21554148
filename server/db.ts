import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/server/env";
import { Prisma, PrismaClient } from "@/server/generated/prisma/client";

export type {
  CursorOutcome,
  Executor,
  Feed,
  FeedState,
  Role,
  RunStatus,
  RunTrigger,
  Source,
  SyncRun,
  Watermark,
} from "@/server/generated/prisma/client";
export { Prisma };
export type Db = PrismaClient;
export type Tx = Prisma.TransactionClient;

// On globalThis because Next bundles instrumentation and routes apart.
const shared = globalThis as typeof globalThis & {
  __tidemarkDb?: Db;
  __tidemarkPools?: WeakMap<Db, pg.Pool>;
};

/** A wait for a connection longer than this is an overload, and said so. */
const MAX_WAIT_MS = 15_000;

/** A client with its own pool. Everything but tests and scripts uses `db()`. */
export function createDb(connectionString: string, poolSize: number): Db {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    application_name: "tidemark",
    connectionTimeoutMillis: MAX_WAIT_MS,
    // The driver adapter drops the offset of what it reads and writes none: right in UTC sessions only.
    options: "-c timezone=UTC",
  });
  // An idle connection that the server closed is the pool's to replace; unheard, it would end the process.
  pool.on("error", () => {});
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    // A transaction pooler hands each transaction another session, which knows no name.
    statementNameGenerator: usesTransactionPooler(connectionString)
      ? undefined
      : ({ sql }) => nameStatement(sql),
  });
  const client = new PrismaClient({ adapter, transactionOptions: { maxWait: MAX_WAIT_MS, timeout: 30_000 } });
  shared.__tidemarkPools ??= new WeakMap();
  if (!usesTransactionPooler(connectionString)) shared.__tidemarkPools.set(client, pool);
  return client;
}

/** The pool under a client, for transactions without Prisma's overhead (sql-transaction.ts); null for
 * a wrapped client and behind a transaction pooler. */
export function poolOf(db: Db): pg.Pool | null {
  return shared.__tidemarkPools?.get(db) ?? null;
}

function usesTransactionPooler(connectionString: string): boolean {
  return connectionString.includes("pgbouncer=true");
}

/** Heads the few hot statements that are worth a name; each stays in every session's memory. */
const PREPARED = "/* prepared */";
const statementNames = new Map<string, string>();

/**
 * From the text itself: routes are bundled apart and each has its own copy of this module, but they
 * share the pool, so a name that was counted up would stand for different statements.
 */
function nameFor(sql: string): string {
  return `tidemark_${createHash("sha256").update(sql).digest("hex").slice(0, 24)}`;
}

/** Prepared once per connection instead of parsed and planned on every call. "" sends it unnamed. */
export function nameStatement(sql: string): string {
  if (!sql.startsWith(PREPARED)) return "";
  const known = statementNames.get(sql);
  if (known) return known;
  const name = nameFor(sql);
  statementNames.set(sql, name);
  return name;
}

/** The process's client. */
export function db(): Db {
  shared.__tidemarkDb ??= createDb(env().DATABASE_URL, env().TIDEMARK_DATABASE_POOL);
  return shared.__tidemarkDb;
}
