import type { TestProject } from "vitest/node";
import { applyMigrations } from "../server/migrations/apply-migrations";
import { asAdmin, TEMPLATE } from "./clone-template";
import { startTestCluster } from "./postgres";

declare module "vitest" {
  export interface ProvidedContext {
    /** Admin database of the run's cluster; files clone its template (clone-template.ts). */
    adminUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const cluster = await startTestCluster();
  const adminUrl = cluster.url("postgres");
  await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${TEMPLATE}`));
  await applyMigrations(cluster.url(TEMPLATE));
  project.provide("adminUrl", adminUrl);
  return () => cluster.stop();
}
