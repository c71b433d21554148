import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileStore } from "./file-store.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidemark-store-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("has no position before the first, and then always the last", async () => {
  const path = join(folder, "position");
  expect(await createFileStore(path).load()).toBeNull();
  for (const position of ['{"v":1,"cursor":"a much longer one"}', '{"v":1}']) {
    await createFileStore(path).save?.(position);
    expect(await createFileStore(path).load()).toBe(position);
  }
  expect(await readdir(folder)).toEqual(["position"]);
});

it("does not mind what a crash while writing left behind", async () => {
  const path = join(folder, "position");
  const store = createFileStore(path);
  await store.save?.("old");
  await writeFile(`${path}.tmp`, "half of a position that is longer than the next o");
  expect(await store.load()).toBe("old");
  await store.save?.("new");
  expect(await readFile(path, "utf8")).toBe("new\n");
});

it("says so when the folder is not there", async () => {
  const store = createFileStore(join(folder, "none", "position"));
  await expect(store.save?.("x")).rejects.toMatchObject({ code: "ENOENT" });
});
