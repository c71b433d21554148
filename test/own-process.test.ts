import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filesSaying, TOUCHES_PROCESS } from "./own-process";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "own-process-"));
});
afterAll(() => rm(root, { recursive: true }));

it.each([
  'vi.mock("@/server/env", () => ({}));',
  'const logged = vi.spyOn(log, "error");',
  "vi.useFakeTimers();",
  'process.env.TIDEMARK_RATE_LIMIT = "5";',
  "const before = process.memoryUsage().rss;",
  "const memory = globalThis as { __tidemarkLots?: Map<string, unknown> };",
  "const began = performance.now();",
  "log.error = (line) => void lines.push(line);",
])("is needed by who writes: %s", (text) => {
  expect(TOUCHES_PROCESS.test(text)).toBe(true);
});

it.each([
  "const send = vi.fn(async () => answer);",
  "await vi.waitFor(() => expect(seen).toBe(1));",
  "const child = spawn(process.execPath, [script]);",
  "const at = Date.now();",
])("is not needed by who writes: %s", (text) => {
  expect(TOUCHES_PROCESS.test(text)).toBe(false);
});

it("is given to the files that need it, whatever their folders are called, and to tests alone", async () => {
  const folder = join(root, "app/(dashboard)/[documentId]");
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, "node_modules/other"), { recursive: true });
  await writeFile(join(folder, "clock.test.ts"), "vi.useFakeTimers();");
  await writeFile(join(folder, "plain.test.ts"), "expect(1).toBe(1);");
  await writeFile(join(folder, "clock.ts"), "vi.useFakeTimers();");
  await writeFile(join(root, "node_modules/other/theirs.test.ts"), "vi.useFakeTimers();");
  expect(filesSaying(root, new Set(["node_modules"]), ".test.ts", TOUCHES_PROCESS)).toEqual([
    "app/\\(dashboard\\)/\\[documentId\\]/clock.test.ts",
  ]);
});
