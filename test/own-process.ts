import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a file does to the process it runs in, or measures of it: replaced modules and functions, false
 * clocks, settings, what hangs on globalThis, processor time, memory and promptness. Such a test file needs
 * a process of its own; others may share one, one after another.
 */
export const TOUCHES_PROCESS =
  /\bvi\.(?!fn\b|waitFor\b)|\bprocess\.(?:env|on|once|memoryUsage|cpuUsage)\b|\bglobalThis\b|\bperformance\.now\b|\b(?:log|console|Math|Date)\.\w+ = /;

/**
 * The files under a folder whose text matches.
 *
 * @param skipped Names of folders in `root` that hold no tests of ours.
 * @param ending Of the files' names.
 * @returns patterns that match exactly these files, from `root`.
 */
export function filesSaying(
  root: string,
  skipped: ReadonlySet<string>,
  ending: string,
  what: RegExp,
): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((path) => join(name, path)),
    )
    .filter((path) => path.endsWith(ending) && what.test(readFileSync(join(root, path), "utf8")))
    .map((path) => path.replaceAll("\\", "/").replace(/[()[\]{}!*?]/g, "\\$&"));
}
