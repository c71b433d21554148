import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Makes `dist/`, from nothing each time: what is left there would be published. */
const here = fileURLToPath(new URL("./", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

rmSync(new URL("dist/", import.meta.url), { recursive: true, force: true });
for (const project of ["tsconfig.build.json", "tsconfig.build-node.json", "tsconfig.build-trpc.json"]) {
  execFileSync(process.execPath, [tsc, "-p", project], { cwd: here, stdio: "inherit" });
}

// The compiler writes "./x.ts" as "./x.js" in code, but not in declarations, where not every tool finds it.
const dist = join(here, "dist");
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith(".d.ts")) continue;
  const file = join(dist, name);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/(from |import\()"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"'));
}
