import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/project.mjs";
import { describeRouter } from "./lib/router-types.mjs";

/**
 * Writes sdk/trpc/app-router.ts: the tRPC router's type with every input and output spelled out, so that the
 * published package needs nothing of the server. `server/trpc/published-types.test.ts` fails when it is old.
 */
const target = join(root, "sdk/trpc/app-router.ts");
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, describeRouter(join(root, "server/trpc/root.ts")));
execFileSync(join(root, "node_modules/.bin/biome"), ["check", "--write", target], { stdio: "inherit" });
