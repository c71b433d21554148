import { spawn } from "node:child_process";
import { join } from "node:path";
import { installLock, readInstall, runningDatabaseUrl, startDatabase } from "./lib/database.mjs";
import { isInstalled } from "./lib/install.mjs";
import { lockHolder, takeLock } from "./lib/lock.mjs";
import { onParentGone } from "./lib/parent.mjs";
import { loadEnvFile, Problem, root } from "./lib/project.mjs";
import { run } from "./lib/steps.mjs";

/**
 * `npm run cli -- …` runs cli/main.ts on this install's database. While `npm run up` runs it shares its
 * database; otherwise it starts the embedded one for as long as the command takes. Nothing but the
 * command's own output goes to stdout.
 */
const WAIT_MS = 60_000;

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.name === "Problem" ? error.message : error.stack);
  process.exitCode = 1;
}

async function main() {
  loadEnvFile();
  if (!isInstalled()) throw new Problem("Packages are missing. Run `npm run up` once; it installs them.");
  const { embedded, env } = readInstall();
  if (!embedded) return runCommand(env);

  const shared = await sharedDatabaseUrl();
  if (shared) return runCommand({ ...env, DATABASE_URL: shared });

  const release = await takeLock(installLock(), "npm run cli", { waitMs: WAIT_MS });
  let database;
  try {
    database = await startDatabase();
    const ownEnv = { ...env, DATABASE_URL: database.url };
    // A fresh install has no tables yet.
    await run(process.execPath, ["--import", "tsx", join(root, "scripts/prepare-database.ts")], {
      env: ownEnv,
      what: "Preparing the database",
    });
    return await runCommand(ownEnv);
  } finally {
    await database?.stop();
    release();
  }
}

/** The database of a running `npm run up`, waited for while it starts; null when there is none. */
async function sharedDatabaseUrl() {
  const deadline = Date.now() + WAIT_MS;
  while (lockHolder(installLock())?.purpose === "npm run up") {
    const url = runningDatabaseUrl();
    if (url) return url;
    if (Date.now() > deadline)
      throw new Problem("`npm run up` is starting but its database does not answer.");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return null;
}

/** @returns the command's exit code. */
function runCommand(env) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", join(root, "cli/main.ts"), ...process.argv.slice(2)],
      {
        cwd: root,
        env: { ...process.env, LOG_LEVEL: "silent", ...env },
        stdio: "inherit",
      },
    );
    // The terminal's Ctrl-C reaches the command too; we stay until it has ended.
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
    onParentGone(() => child.kill("SIGTERM"));
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
