import pg from "pg";
import type { TestProject } from "vitest/node";
import { applyMigrations } from "../server/migrations/apply-migrations";
import { startTestCluster } from "./postgres";

declare module "vitest" {
  export interface ProvidedContext {
    /** Admin database of the run's cluster; files clone `tidemark_template`. */
    adminUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const cluster = await startTestCluster();
  const adminUrl = cluster.url("postgres");
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query("CREATE DATABASE tidemark_template");
  await admin.end();
  await applyMigrations(cluster.url("tidemark_template"));
  project.provide("adminUrl", adminUrl);
  return () => cluster.stop();
}
