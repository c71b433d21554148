import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { takeLock } from "./lock.mjs";
import { root } from "./project.mjs";
import { run, step } from "./steps.mjs";

/** What the production build is made of. */
const BUILD_INPUTS = [
  "adapters",
  "app",
  "components",
  "lib",
  "prisma",
  "public",
  "sdk",
  "server",
  "trpc",
  "instrumentation.ts",
  "next.config.mjs",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
];

/** Installs packages when they are missing or not those of the lock file. */
export async function ensurePackages() {
  if (isInstalled()) return;
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  await step("Installing packages (a minute or two the first time)", () =>
    // Building needs the development packages, whatever NODE_ENV says. What npm knows of a package from
    // before is enough: the lock file says which version, and its digest.
    run(
      command,
      [...args, "ci", "--include=dev", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=warn"],
      { what: "npm ci" },
    ).then(() => {}),
  );
}

/** npm writes node_modules/.package-lock.json last; it says what is really there. */
export function isInstalled() {
  const installed = readJson(join(root, "node_modules/.package-lock.json"))?.packages;
  if (!installed) return false;
  const { packages } = readJson(join(root, "package-lock.json"));
  return Object.entries(packages).every(([path, wanted]) => {
    if (path === "" || wanted.link) return true;
    const found = installed[path];
    return found ? found.version === wanted.version : wanted.optional || wanted.devOptional || wanted.peer;
  });
}

/** Generates the Prisma client when the schema changed. */
export async function ensurePrismaClient() {
  const target = join(root, "server/generated/prisma");
  const inputs = ["prisma/schema.prisma", "prisma.config.ts", "node_modules/prisma/package.json"];
  await ensureStamped(join(root, "server/generated/.stamp"), hashFiles(inputs), existsSync(target), () =>
    step("Generating the database client", () =>
      run(bin("prisma"), ["generate"], { what: "prisma generate" }).then(() => {}),
    ),
  );
}

/** Builds the app when its sources changed. */
export async function ensureBuild() {
  const stamp = join(root, ".next/tidemark-build");
  const release = await takeLock(join(root, "node_modules/.tidemark-build.lock"), "A build", {
    waitMs: 600_000,
  });
  try {
    await ensureStamped(stamp, hashFiles(buildFiles()), existsSync(join(root, ".next/BUILD_ID")), () =>
      step("Building the app (about a minute)", () =>
        run(bin("next"), ["build"], {
          env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
          what: "next build",
        }).then(() => {}),
      ),
    );
  } finally {
    release();
  }
}

/** Does the work unless the stamp says that it was done, from the same inputs and to the end. */
async function ensureStamped(stamp, hash, exists, work) {
  if (exists && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

export function bin(name) {
  return join(root, "node_modules/.bin", process.platform === "win32" ? `${name}.cmd` : name);
}

function buildFiles() {
  return BUILD_INPUTS.flatMap((path) => (path.includes(".") ? [path] : listFiles(path)));
}

function listFiles(directory) {
  if (!existsSync(join(root, directory))) return [];
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory())
      return ["generated", "fixtures", "node_modules", "dist"].includes(entry.name) ? [] : listFiles(path);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path];
  });
}

/** One hash over names and contents. Contents, not times: a checkout touches every file. */
function hashFiles(paths) {
  const hash = createHash("sha256").update(process.versions.node.split(".")[0]);
  for (const path of [...paths].sort()) {
    if (!existsSync(join(root, path))) continue;
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
