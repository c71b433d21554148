import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { applyMigrations } from "@/server/migrations/apply-migrations";
import { createCaller } from "../factories";
import { startTestCluster, type TestCluster } from "../postgres";
import { createRestClient, type RestClient } from "./rest-client";
import { type ServerProcess, startServerProcess } from "./server-process";

/** Short, so that a dead run is seen to die within a test. */
export const LEASE_SECONDS = 3;
const CRON_SECRET = "kills-cron-secret-0000";

/** A cluster, a migrated database, server processes on it and a token: a whole installation. */
export type World = {
  cluster: TestCluster;
  servers: ServerProcess[];
  db: Db;
  caller: Caller;
  /** Speaks to the first server. */
  rest: RestClient;
  cron(server: ServerProcess, path: "sync" | "maintain"): Promise<Record<string, unknown>>;
  end(): Promise<void>;
};

export async function createWorld(
  options: { servers?: number; env?: Record<string, string> } = {},
): Promise<World> {
  // Written through to the disk: what a crash may lose is what these tests are about.
  const cluster = await startTestCluster({ durable: true });
  await applyMigrations(cluster.url("postgres"));
  const db = createDb(cluster.url("postgres"), 4);
  const caller = await createCaller(db);
  const scopes = [
    "sources:read",
    "sources:write",
    "documents:read",
    "documents:write",
    "runs:read",
    "runs:write",
  ] as const;
  const { token } = await createToken(db, caller, { name: "kills", scopes });

  const env = {
    DATABASE_URL: cluster.url("postgres"),
    TIDEMARK_SECRET: "kills-secret-kills-secret-kills-secret-00",
    CRON_SECRET,
    TIDEMARK_LEASE_SECONDS: String(LEASE_SECONDS),
    TIDEMARK_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
    TIDEMARK_RATE_LIMIT: "10000",
    ...options.env,
  };
  const servers: ServerProcess[] = [];
  for (let index = 0; index < (options.servers ?? 1); index++) servers.push(await startServerProcess(env));

  return {
    cluster,
    servers,
    db,
    caller,
    rest: createRestClient(() => servers[0]?.url ?? "", token),
    async cron(server, path) {
      const headers = { authorization: `Bearer ${CRON_SECRET}` };
      const response = await fetch(`${server.url}/api/cron/${path}`, { headers });
      if (response.status !== 200)
        throw new Error(`cron answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
    async end() {
      await Promise.all(servers.map((server) => server.stop()));
      await db.$disconnect();
      await cluster.stop();
    },
  };
}
