import { createHash } from "node:crypto";
import { join } from "node:path";
import { rotateLog } from "./log-file.mjs";
import {
  clusterUrl,
  createCluster,
  ensureDatabase,
  findPostmaster,
  startCluster,
  stopPostmaster,
} from "./postgres.mjs";
import { findPostgres, isReachable, sharedHome } from "./postgres-binaries.mjs";
import { dataDir, Problem } from "./project.mjs";
import { createDataDir, installSecret } from "./secrets.mjs";

const DATABASE = "tidemark";

/**
 * What the app needs to know of this install's own database and secrets, from the environment when
 * DATABASE_URL is set, else from the data directory.
 *
 * @returns `{ embedded, env }`; with an embedded database `env.DATABASE_URL` is missing until it runs.
 */
export function readInstall() {
  createDataDir(dataDir());
  if (process.env.DATABASE_URL) {
    if (!process.env.TIDEMARK_SECRET) {
      throw new Problem(
        "DATABASE_URL is set, so TIDEMARK_SECRET must be set too: it signs sessions and cursors and seals the " +
          "credentials stored in that database, and every process that uses it needs the same one.\n" +
          "Make one with: openssl rand -base64 32",
      );
    }
    return { embedded: false, env: {} };
  }
  const env = {
    TIDEMARK_SECRET: process.env.TIDEMARK_SECRET || installSecret(dataDir(), "secret"),
    CRON_SECRET: process.env.CRON_SECRET || installSecret(dataDir(), "cron-secret"),
  };
  return { embedded: true, env };
}

/**
 * Starts the embedded database. The caller holds the data directory's lock, so whatever still runs on it
 * was left over by a process that was killed, and is stopped first.
 *
 * @param port The port it had before, to be kept when it is still free.
 * @returns `{ url, directory, port, pid, exited, stop() }`.
 */
export async function startDatabase({ port, onLeftover } = {}) {
  const directory = clusterDirectory();
  const leftover = findPostmaster(directory);
  if (leftover) {
    onLeftover?.();
    await stopPostmaster(leftover.pid, "fast");
  }
  const password = databasePassword();
  await createCluster(directory, password);
  const logFile = join(dataDir(), "postgres.log");
  rotateLog(logFile);
  const cluster = await startCluster(directory, { port, logFile });
  await ensureDatabase(clusterUrl(cluster.port, password, "postgres"), DATABASE);
  return {
    ...cluster,
    directory,
    url: clusterUrl(cluster.port, password, DATABASE),
    stop: () => stopPostmaster(cluster.pid, "fast"),
  };
}

/** URL of the embedded database if it runs at this moment, else null. */
export function runningDatabaseUrl() {
  const postmaster = findPostmaster(clusterDirectory());
  if (postmaster?.status !== "ready") return null;
  return clusterUrl(postmaster.port, databasePassword(), DATABASE);
}

/**
 * In the data directory, unless the user that runs PostgreSQL cannot get there. Then elsewhere, under a
 * name that goes with this data directory's password: another one's cluster would not let us in.
 */
function clusterDirectory() {
  if (isReachable(dataDir(), findPostgres().user)) return join(dataDir(), "postgres");
  const name = createHash("sha256").update(databasePassword()).digest("hex").slice(0, 12);
  return join(sharedHome(), `cluster-${name}`);
}

function databasePassword() {
  return installSecret(dataDir(), "database-password");
}

export function installLock() {
  return join(dataDir(), "lock");
}
