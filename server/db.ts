import { PrismaPg } from "@prisma/adapter-pg";
import { env } from "@/server/env";
import { Prisma, PrismaClient } from "@/server/generated/prisma/client";

export { Prisma };
export type Db = PrismaClient;
export type Tx = Prisma.TransactionClient;

/** A client with its own pool. Everything but tests and scripts uses `db()`. */
export function createDb(connectionString: string, poolSize: number): Db {
  const adapter = new PrismaPg({ connectionString, max: poolSize, application_name: "tidemark" });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 15_000, timeout: 30_000 } });
}

const shared = globalThis as typeof globalThis & { __tidemarkDb?: Db };

/** The process's client. On globalThis because Next bundles instrumentation and routes apart. */
export function db(): Db {
  shared.__tidemarkDb ??= createDb(env().DATABASE_URL, env().TIDEMARK_DATABASE_POOL);
  return shared.__tidemarkDb;
}
