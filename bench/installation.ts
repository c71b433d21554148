import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { clusterUrl, createCluster, startCluster, stopPostmaster } from "@/scripts/lib/postgres.mjs";
import { type ServerChild, startServer } from "@/scripts/lib/server-child.mjs";

const PASSWORD = "bench";
/**
 * Requests a second per token. The limiter counts and takes its blocks out of the database as ever; with the
 * usual 300 a fast machine would be refused, and that would be measured.
 */
const RATE_LIMIT = 1_000;

export type Installation = {
  postmasterPid: number;
  databaseUrl: string;
  /** For what else the bench needs on disk; removed at the end. */
  directory: string;
  startServer(): Promise<ServerChild>;
  end(): Promise<void>;
};

/**
 * A cluster as `npm run up` makes it (fsync and synchronous_commit on), on the disk of the temporary
 * directory, and the production server when asked for. Cleaned up even when the bench is killed.
 */
export async function createInstallation(): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), "tidemark-bench-"));
  await chmod(directory, 0o711);
  const guard = spawn(process.execPath, [resolve("scripts/guard-cluster.mjs"), directory], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  const data = join(directory, "data");
  await createCluster(data, PASSWORD);
  const cluster = await startCluster(data, { logFile: join(directory, "postgres.log") });
  const databaseUrl = clusterUrl(cluster.port, PASSWORD, "postgres");
  // What server/env.ts reads, here and in the server.
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    TIDEMARK_SECRET: "bench-secret-bench-secret-bench-secret-00",
    TIDEMARK_DATA_DIR: directory,
    TIDEMARK_RATE_LIMIT: String(RATE_LIMIT),
    LOG_LEVEL: "warn",
  });
  let server: ServerChild | undefined;
  return {
    databaseUrl,
    directory,
    postmasterPid: cluster.pid,
    async startServer() {
      server = await startServer({ DATABASE_URL: databaseUrl, PORT: "0" }, join(directory, "server.log"));
      return server;
    },
    async end() {
      await server?.stop();
      await stopPostmaster(cluster.pid, "immediate");
      await rm(directory, { recursive: true, force: true });
      guard.kill("SIGKILL");
    },
  };
}
