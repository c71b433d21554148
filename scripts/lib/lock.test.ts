import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockHolder, takeLock } from "./lock.mjs";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-lock-"));
  path = join(directory, "lock");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("is held by one, and says by whom", async () => {
  const release = await takeLock(path, "npm run up");
  expect(lockHolder(path)).toMatchObject({ pid: process.pid, purpose: "npm run up" });
  await expect(takeLock(path, "npm run cli")).rejects.toThrow(/npm run up is already running here/);
  release();
  expect(lockHolder(path)).toBeNull();
  (await takeLock(path, "npm run cli"))();
});

it("goes to the next in line within the time they are willing to wait", async () => {
  const release = await takeLock(path, "npm run up");
  const waited: number[] = [];
  const second = takeLock(path, "npm run cli", {
    waitMs: 10_000,
    onWait: (holder) => waited.push(holder.pid),
  });
  await expect.poll(() => waited).toEqual([process.pid]);
  release();
  (await second)();
});

it("does not outlive its holder, nor go to a process that got the holder's id later", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  await writeFile(path, JSON.stringify({ pid, started: "1", purpose: "npm run up" }));
  expect(lockHolder(path)).toBeNull();
  (await takeLock(path, "npm run up"))();

  await writeFile(path, JSON.stringify({ pid: process.pid, started: "another life", purpose: "npm run up" }));
  (await takeLock(path, "npm run up"))();
  await writeFile(path, "half a lo");
  (await takeLock(path, "npm run up"))();
  expect(existsSync(path)).toBe(false);
});

it("has one winner when many find a dead holder's lock at the same time", async () => {
  await writeFile(path, JSON.stringify({ pid: 2 ** 22 + 1, started: "1", purpose: "npm run up" }));
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(path, "npm run up")));
  expect(tries.filter((attempt) => attempt.status === "fulfilled")).toHaveLength(1);
});
