import { existsSync } from "node:fs";
import { startTestCluster } from "../test/postgres";

/** One database cluster for the whole run; each spec file has a database of its own in it. */
export default async function setup() {
  if (!existsSync(".next/BUILD_ID"))
    throw new Error('There is no production build: run "npm run build" first.');
  const cluster = await startTestCluster();
  // Workers inherit the environment.
  process.env.TIDEMARK_E2E_DATABASE = cluster.url("postgres");
  return () => cluster.stop();
}
