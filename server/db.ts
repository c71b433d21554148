import { PrismaPg } from "@prisma/adapter-pg";
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

/** A client with its own pool. Everything but tests and scripts uses `db()`. */
export function createDb(connectionString: string, poolSize: number): Db {
  const adapter = new PrismaPg(
    {
      connectionString,
      max: poolSize,
      application_name: "tidemark",
      // The driver adapter drops the offset of what it reads and writes none: right in UTC sessions only.
      options: "-c timezone=UTC",
    },
    // A transaction pooler hands each transaction another session, which knows no name.
    { statementNameGenerator: connectionString.includes("pgbouncer=true") ? undefined : nameStatement },
  );
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 15_000, timeout: 30_000 } });
}

/** Heads the few hot statements that are worth a name; each stays in every session's memory. */
const PREPARED = "/* prepared */";
const statementNames = new Map<string, string>();

/** Prepared once per connection instead of parsed and planned on every call. "" sends it unnamed. */
function nameStatement({ sql }: { sql: string }): string {
  if (!sql.startsWith(PREPARED)) return "";
  const known = statementNames.get(sql);
  if (known) return known;
  const name = `tidemark_${statementNames.size}`;
  statementNames.set(sql, name);
  return name;
}

const shared = globalThis as typeof globalThis & { __tidemarkDb?: Db };

/** The process's client. On globalThis because Next bundles instrumentation and routes apart. */
export function db(): Db {
  shared.__tidemarkDb ??= createDb(env().DATABASE_URL, env().TIDEMARK_DATABASE_POOL);
  return shared.__tidemarkDb;
}
