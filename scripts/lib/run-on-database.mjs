import { spawn } from "node:child_process";
import { join } from "node:path";
import { installLock, readInstall, runningDatabaseUrl, startDatabase } from "./database.mjs";
import { isInstalled } from "./install.mjs";
import { lockHolder, takeLock } from "./lock.mjs";
import { loadEnvFile, Problem, root } from "./project.mjs";
import { run } from "./steps.mjs";

const WAIT_MS = 60_000;

/**
 * Runs a TypeScript file on this install's database. While `npm run up` runs it shares its database;
 * otherwise the embedded one is started for as long as the file takes. Nothing but the file's own output
 * goes to stdout.
 *
 * @param script from the root. @param purpose what others are told who wait for the install.
 * @returns the file's exit code.
 */
export async function runOnDatabase(script, args, purpose) {
  loadEnvFile();
  if (!isInstalled()) throw new Problem("Packages are missing. Run `npm run up` once; it installs them.");
  const { embedded, env } = readInstall();
  if (!embedded) return runScript(script, args, env);

  const shared = await sharedDatabaseUrl();
  if (shared) return runScript(script, args, { ...env, DATABASE_URL: shared });

  const release = await takeLock(installLock(), purpose, { waitMs: WAIT_MS });
  let database;
  try {
    database = await startDatabase();
    const ownEnv = { ...env, DATABASE_URL: database.url };
    // A fresh install has no tables yet. A restore makes its own, also over ones that this version cannot migrate.
    const isRestore = args[0] === "db" && args[1] === "restore";
    if (!isRestore)
      await run(process.execPath, ["--import", "tsx", join(root, "scripts/prepare-database.ts")], {
        env: ownEnv,
        what: "Preparing the database",
      });
    return await runScript(script, args, ownEnv);
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

function runScript(script, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", join(root, script), ...args], {
      cwd: root,
      env: {
        ...process.env,
        // npm goes to the project's folder first and says where it was called.
        TIDEMARK_CALLER_DIRECTORY: (process.env.npm_lifecycle_event && process.env.INIT_CWD) || process.cwd(),
        LOG_LEVEL: "silent",
        ...env,
      },
      stdio: "inherit",
    });
    // The terminal's Ctrl-C reaches the child too; we stay until it has ended.
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
