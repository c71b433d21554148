import { join } from "node:path";
import { installLock, readInstall, startDatabase } from "./database.mjs";
import { ensureBuild, ensurePackages, ensurePrismaClient } from "./install.mjs";
import { lockHolder, takeLock } from "./lock.mjs";
import { onParentGone } from "./parent.mjs";
import { dataDir, loadEnvFile, Problem, root } from "./project.mjs";
import { installSecret } from "./secrets.mjs";
import { startServer, stopLeftoverServer } from "./server-child.mjs";
import { run, seconds, step, stopCommands } from "./steps.mjs";
import { keepRunning } from "./supervise.mjs";

const CLI_WAIT_MS = 60_000;

/** `npm run up`: from a fresh checkout to a running server, and then the server's supervisor. */
export async function runUp(args) {
  const began = Date.now();
  const unknown = args.find((arg) => arg !== "--demo");
  if (unknown) throw new Problem(`Unknown option ${unknown}. There is one: --demo loads a demo workspace.`);
  const demo = args.includes("--demo");
  const stopping = stopOnSignals();

  process.stdout.write("\nTidemark\n\n");
  loadEnvFile();
  const children = { database: null, server: null };
  let release = () => {};
  try {
    // Before anything else: a build under a server that runs would pull its files from under it.
    const install = readInstall();
    // A command line's use of the database is over soon; another `up` is not.
    const isBrief = lockHolder(installLock())?.purpose === "npm run cli";
    release = await takeLock(installLock(), "npm run up", { waitMs: isBrief ? CLI_WAIT_MS : 0 });
    await stopLeftoverServer();
    await ensurePackages();
    await ensurePrismaClient();
    await ensureBuild();
    if (install.embedded) await step("Starting PostgreSQL", () => startEmbedded(children));
    stopping.throwIfAborted();
    const env = { ...install.env, ...(children.database ? { DATABASE_URL: children.database.url } : {}) };
    const prepared = await prepareDatabase(env);
    if (demo) env.TIDEMARK_DEMO = "1";
    await step("Starting the server", async () => {
      children.server = await startServer(env, join(dataDir(), "server.log"));
    });
    stopping.throwIfAborted();
    const demoLogin = demo ? await loadDemo(env, children.server) : null;
    process.stdout.write(welcome(children, prepared, demoLogin, began));
    await supervise(children, env, stopping);
  } catch (error) {
    // A command that our own stop ended has not failed.
    if (!stopping.aborted) throw error;
  } finally {
    await stopAll(children);
    release();
  }
}

async function startEmbedded(children, port) {
  children.database = await startDatabase({
    port,
    onLeftover: () => process.stdout.write(" (stopping one left over)"),
  });
}

/** Migrations need the app's TypeScript, hence another process. */
async function prepareDatabase(env) {
  let prepared;
  await step("Preparing the database", async () => {
    const script = join(root, "scripts/prepare-database.ts");
    prepared = JSON.parse(
      await run(process.execPath, ["--import", "tsx", script], { env, what: "Preparing the database" }),
    );
    const count = prepared.applied.length;
    if (count === 0) return "up to date";
    const backup = prepared.backup ? `; what was there before is in ${prepared.backup}` : "";
    return `applied ${count} migration${count === 1 ? "" : "s"}${backup}`;
  });
  return prepared;
}

async function loadDemo(env, server) {
  let login;
  await step("Loading the demo workspace", async () => {
    const script = join(root, "scripts/seed-demo.ts");
    const demoEnv = {
      ...env,
      PORT: String(server.port),
      TIDEMARK_DEMO_ORIGIN: `http://127.0.0.1:${server.port}`,
      TIDEMARK_DEMO_PASSWORD: installSecret(dataDir(), "demo-password").slice(0, 16),
    };
    login = JSON.parse(
      await run(process.execPath, ["--import", "tsx", script], { env: demoEnv, what: "Loading the demo" }),
    );
  });
  return login;
}

function welcome({ server, database }, prepared, demoLogin, began) {
  const lines = ["", `Tidemark is running on ${server.url} (after ${seconds(began)}).`, ""];
  if (server.note) lines.push(`  ${server.note}`);
  if (demoLogin) {
    lines.push(
      `  Demo: sign in at ${server.url}/sign-in as ${demoLogin.email}, password ${demoLogin.password}`,
    );
  }
  if (prepared.setupCode) {
    lines.push(`  First visit: open ${server.url}/setup and create your account.`);
    lines.push(`  From another machine you are asked for this set-up code: ${prepared.setupCode}`);
  } else if (!demoLogin) {
    lines.push(`  Open ${server.url} and sign in.`);
  }
  lines.push("");
  if (database) lines.push(`  Data: ${database.directory}`);
  lines.push(`  Logs: ${join(dataDir(), "server.log")}`, "  Ctrl-C stops it.", "");
  return `${lines.join("\n")}\n`;
}

/** Runs until a stop is asked for. */
async function supervise(children, env, stopping) {
  const loops = [
    keepRunning(
      "The server",
      children.server,
      async () => {
        // The same port: browsers, programs and the demo's feeds know it.
        const portEnv = { PORT: String(children.server.port) };
        children.server = await startServer({ ...env, ...portEnv }, join(dataDir(), "server.log"));
        return children.server;
      },
      stopping,
    ),
  ];
  if (children.database) {
    loops.push(
      keepRunning(
        "PostgreSQL",
        children.database,
        async () => {
          const { url, port } = children.database;
          await startEmbedded(children, port);
          if (children.database.url !== url) {
            // Its port was lost meanwhile. The server learns the new one by a restart.
            env.DATABASE_URL = children.database.url;
            await children.server.stop();
          }
          return children.database;
        },
        stopping,
      ),
    );
  }
  await Promise.all(loops);
}

/** The server first: what it still writes needs the database. */
async function stopAll({ server, database }) {
  if (!server && !database) return;
  process.stdout.write("\n");
  if (server) await step("Stopping the server", () => server.stop());
  if (database) await step("Stopping PostgreSQL", () => database.stop());
}

/** The first signal asks for a stop, the third one does not wait for it. */
function stopOnSignals() {
  const controller = new AbortController();
  let count = 0;
  const stop = () => {
    count += 1;
    if (count >= 3) process.exit(1);
    controller.abort();
    stopCommands();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  // Only where a parent opened a channel: then we end with it.
  process.on("disconnect", stop);
  onParentGone(stop);
  return controller.signal;
}
