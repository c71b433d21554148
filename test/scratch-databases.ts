import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { asAdmin } from "./clone-template";
import { cloneDatabase } from "./database";

export type Scratch = {
  directory: string;
  /** @returns a path in the directory that nothing has yet. */
  fileNamed(name: string): string;
  /** @returns the URL of a new database, migrated. */
  aStore(): Promise<string>;
  /** @returns the URL of a new database with nothing in it. */
  anEmptyDatabase(): Promise<string>;
};

/** Databases and files in any number, gone after the last test. Call it at the top of a file. */
export function useScratch(): Scratch {
  const made: string[] = [];
  const newName = () => {
    const name = `r_${randomBytes(8).toString("hex")}`;
    made.push(name);
    return name;
  };
  const scratch: Scratch = {
    directory: "",
    fileNamed: (name) => join(scratch.directory, `${name}-${randomBytes(4).toString("hex")}.backup`),
    aStore: () => cloneDatabase(newName()),
    async anEmptyDatabase() {
      const name = newName();
      const url = new URL(inject("adminUrl"));
      await asAdmin(url.href, (client) => client.query(`CREATE DATABASE ${name}`));
      url.pathname = `/${name}`;
      return url.href;
    },
  };
  beforeAll(async () => {
    scratch.directory = await mkdtemp(join(tmpdir(), "tidemark-scratch-"));
  });
  afterAll(async () => {
    await rm(scratch.directory, { recursive: true, force: true });
    await asAdmin(inject("adminUrl"), async (client) => {
      for (const name of made) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    });
  });
  return scratch;
}
