import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a file does to the process it runs in, or measures of it: replaced modules and functions, false
 * clocks, settings, what hangs on globalThis, processor time, memory and promptness.
 */
const TOUCHES_PROCESS =
  /\bvi\.(?!fn\b|waitFor\b)|\bprocess\.(?:env|on|once|memoryUsage|cpuUsage)\b|\bglobalThis\b|\bperformance\.now\b|\b(?:log|console|Math|Date)\.\w+ = /;

/** Must the test file with this text have a process of its own? Others may share one, one after another. */
export function needsOwnProcess(text: string): boolean {
  return TOUCHES_PROCESS.test(text);
}

/**
 * The test files under a folder that need a process of their own.
 *
 * @param skipped Names of folders in `root` that hold no tests of ours.
 * @returns patterns that match exactly these files, from `root`.
 */
export function ownProcessFiles(root: string, skipped: ReadonlySet<string>): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((path) => join(name, path)),
    )
    .filter((path) => path.endsWith(".test.ts") && needsOwnProcess(readFileSync(join(root, path), "utf8")))
    .map((path) => path.replaceAll("\\", "/").replace(/[()[\]{}!*?]/g, "\\$&"));
}
