import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { asAdmin, TEMPLATE } from "../test/clone-template";
import { startTestCluster } from "../test/postgres";

const run = promisify(execFile);

/**
 * One database cluster for the whole run. A database is prepared in it as `npm run up` does, and each spec
 * file gets a copy of it.
 */
export default async function setup() {
  if (!existsSync(".next/BUILD_ID"))
    throw new Error('There is no production build: run "npm run build" first.');
  const cluster = await startTestCluster();
  const adminUrl = cluster.url("postgres");
  await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${TEMPLATE}`));
  const secret = randomBytes(32).toString("base64url");
  const { stdout } = await run(process.execPath, ["--import", "tsx", "scripts/prepare-database.ts"], {
    env: { ...process.env, DATABASE_URL: cluster.url(TEMPLATE), TIDEMARK_SECRET: secret },
  });
  // Workers inherit the environment.
  process.env.TIDEMARK_E2E_DATABASE = adminUrl;
  process.env.TIDEMARK_E2E_SECRET = secret;
  process.env.TIDEMARK_E2E_SETUP_CODE = (JSON.parse(stdout.trim()) as { setupCode: string }).setupCode;
  return () => cluster.stop();
}
