import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../scripts/lib/ports.mjs";
import {
  clusterUrl,
  createCluster,
  type RunningCluster,
  startCluster,
  stopPostmaster,
} from "../scripts/lib/postgres.mjs";

export { freePort };

export type TestCluster = {
  url(database: string): string;
  /** SIGKILL to the postmaster, and a start on the same port. For tests of that. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const PASSWORD = "tidemark";

/**
 * A cluster of its own for one test run: writers of other suites would hold the safe point back.
 * It cannot outlive this process, not even a killed one: a guard process sees our end of a pipe close.
 *
 * @param options.durable Writes through to the disk, as in production. Without it, tests are faster.
 * @param options.settings of PostgreSQL, beside those.
 */
export async function startTestCluster({
  durable = false,
  settings: extra = {},
}: {
  durable?: boolean;
  settings?: Record<string, string>;
} = {}): Promise<TestCluster> {
  const directory = await mkdtemp(join(tmpdir(), "tidemark-test-pg-"));
  // PostgreSQL may run as another user, who must get through here.
  await chmod(directory, 0o711);
  const guard = startGuard(directory);
  const data = join(directory, "data");
  await createCluster(data, PASSWORD, { throwAway: true });

  const unsafe = { fsync: "off", full_page_writes: "off" };
  const settings = { max_connections: 300, ...(durable ? {} : unsafe), ...extra };
  const logFile = join(directory, "postgres.log");
  let running: RunningCluster = await startCluster(data, { logFile, settings });
  const port = running.port;

  return {
    url: (database) => clusterUrl(port, PASSWORD, database),
    async kill() {
      process.kill(running.pid, "SIGKILL");
      await running.exited;
    },
    async start() {
      running = await startCluster(data, { port, logFile, settings });
      if (running.port !== port) throw new Error(`port ${port} was lost to another program`);
    },
    async stop() {
      await stopPostmaster(running.pid, "immediate");
      await rm(directory, { recursive: true, force: true });
      guard.kill("SIGKILL");
    },
  };
}

function startGuard(directory: string): ChildProcess {
  const script = resolve(import.meta.dirname, "../scripts/guard-cluster.mjs");
  const guard = spawn(process.execPath, [script, directory], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  return guard;
}
