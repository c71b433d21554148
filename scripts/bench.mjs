import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild, ensurePackages, ensurePrismaClient } from "./lib/install.mjs";
import { root } from "./lib/project.mjs";

/** `npm run bench -- <name>` runs bench/<name>.ts on the production build. */
const [name, ...args] = process.argv.slice(2);
const script = join(root, `bench/${name}.ts`);
if (!name || !/^[a-z-]+$/.test(name) || !existsSync(script)) {
  console.error("Usage: npm run bench -- changes | ingest | pages | waiting");
  process.exit(2);
}
await ensurePackages();
await ensurePrismaClient();
await ensureBuild();
const { status } = spawnSync(process.execPath, ["--import", "tsx", script, ...args], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "production" },
});
process.exit(status ?? 1);
