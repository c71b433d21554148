import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { createDb, type Db } from "@/server/db";
import { asAdmin, cloneTemplate } from "./clone-template";

/**
 * A database of this test file's own, cloned from the migrated template.
 * Call it at the top of a file; the handle is filled before the first test.
 */
export function useDatabase(): { db: Db; url: string } {
  const handle = {} as { db: Db; url: string };
  const name = `t_${randomBytes(8).toString("hex")}`;

  beforeAll(async () => {
    handle.url = await cloneDatabase(name);
    handle.db = createDb(handle.url, 24);
  });
  afterAll(async () => {
    await handle.db?.$disconnect();
    await asAdmin(inject("adminUrl"), (client) =>
      client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    );
  });
  return handle;
}

/** @returns the new database's URL. */
export function cloneDatabase(name: string): Promise<string> {
  return cloneTemplate(inject("adminUrl"), name);
}
