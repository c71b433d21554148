import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
/** Decided by how it is started, not by people. */
const NOT_FOR_PEOPLE = ["NODE_ENV"];

it("lists in .env.example what server/env.ts reads, and nothing else", async () => {
  const schema = await readFile(join(root, "server/env.ts"), "utf8");
  const example = await readFile(join(root, ".env.example"), "utf8");
  const read = [...schema.matchAll(/^ {2}([A-Z][A-Z_]+): z/gm)].map((match) => match[1]);
  const listed = [...example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map((match) => match[1]);

  expect(read.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual(read.filter((name) => !NOT_FOR_PEOPLE.includes(name ?? "")).sort());
});
