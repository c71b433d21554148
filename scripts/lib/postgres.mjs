import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { freePort } from "./ports.mjs";
import { findPostgres, giveTo } from "./postgres-binaries.mjs";
import { commandLine, isAlive, waitForExit } from "./processes.mjs";
import { Problem } from "./project.mjs";

/** The superuser and owner of everything in an embedded cluster. */
export const POSTGRES_USER = "tidemark";
const MAJOR = "18";
/** Crash recovery after a long outage replays a lot of log. */
const START_LIMIT_MS = 300_000;
/** How long sessions of a killed postmaster may take to notice and leave. */
const ORPHAN_LIMIT_MS = 30_000;

/**
 * Makes a cluster in `directory`, unless one is there. A crash half-way leaves nothing behind that would
 * pass for a cluster: it is made aside and renamed.
 *
 * @param options.throwAway Skips the final sync: for tests.
 */
export async function createCluster(directory, password, { throwAway = false } = {}) {
  const version = clusterVersion(directory);
  if (version === MAJOR) return;
  if (version !== null) {
    throw new Problem(
      `The database in ${directory} was made by PostgreSQL ${version}; this Tidemark brings PostgreSQL ${MAJOR}. ` +
        "Start it with the Tidemark it was made with, or move that directory away to begin anew.",
    );
  }
  const { initdb, user } = findPostgres();
  const aside = `${directory}.new`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  giveTo(user, aside);
  const secrets = `${directory}.init`;
  rmSync(secrets, { recursive: true, force: true });
  mkdirSync(secrets, { mode: 0o700 });
  const passwordFile = join(secrets, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveTo(user, passwordFile);
  giveTo(user, secrets);
  try {
    const flags = [
      `--pgdata=${aside}`,
      `--username=${POSTGRES_USER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--data-checksums",
      "--encoding=UTF8",
      // The same order and the same letters on every machine, whatever its C library thinks.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...(throwAway ? ["--no-sync"] : []),
    ];
    const child = spawn(initdb, flags, {
      ...user,
      cwd: "/",
      env: quietEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    if (code !== 0) throw new Problem(`The database could not be created:\n\n${output.trim()}`);
    rmSync(directory, { recursive: true, force: true });
    renameSync(aside, directory);
  } finally {
    rmSync(secrets, { recursive: true, force: true });
  }
}

/**
 * Starts the cluster as a child of this process, in a process group of its own: Ctrl-C in a terminal
 * must reach the server first and the database last.
 *
 * @param options.port Wanted port; without one, or when it is lost to another program, a free one.
 * @param options.settings Server settings, `{ name: value }`.
 * @returns `{ pid, port, exited }`; `exited` resolves with a description when the postmaster ends.
 */
export async function startCluster(directory, { port, logFile, settings = {} }) {
  const deadline = Date.now() + ORPHAN_LIMIT_MS;
  let chosen = port ?? (await freePort());
  for (let tries = 0; ; tries++) {
    const started = await launch(directory, chosen, logFile, settings);
    if (started.ok) return started.cluster;
    if (tries < 5 && /could not (bind|create any TCP)/.test(started.log)) {
      chosen = await freePort();
      continue;
    }
    if (Date.now() < deadline && /pre-existing shared memory block/.test(started.log)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    throw new Problem(`PostgreSQL did not start:\n\n${started.log}`);
  }
}

async function launch(directory, port, logFile, settings) {
  const { postgres, user } = findPostgres();
  disownPidFile(directory);
  const log = openSync(logFile, "a", 0o600);
  const logBegin = statSync(logFile).size;
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(postgres, ["-D", directory, "-p", String(port), ...flags], {
    ...user,
    cwd: "/",
    env: quietEnv(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let running = true;
  const exited = new Promise((resolve) => {
    const ended = (how) => {
      running = false;
      resolve(how);
    };
    child.once("error", (error) => ended(error.message));
    child.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (running) {
    if (readPidFile(directory)?.pid === child.pid && readPidFile(directory)?.status === "ready") {
      return { ok: true, cluster: { pid: child.pid, port, exited } };
    }
    if (Date.now() > deadline) {
      await stopPostmaster(child.pid, "fast");
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { ok: false, log: readFileSync(logFile, "utf8").slice(logBegin).trim() };
}

/**
 * The postmaster that runs on this directory, or null: left over from a process that was killed, or
 * started by another one.
 */
export function findPostmaster(directory) {
  const file = readPidFile(directory);
  return file && isOurs(file.pid, directory) ? file : null;
}

/**
 * Stops a postmaster and waits for it.
 *
 * @param mode `fast` ends sessions and writes a checkpoint; `immediate` just ends, and the next start
 *   recovers from the log.
 */
export async function stopPostmaster(pid, mode) {
  if (!isAlive(pid)) return;
  process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
  if (await waitForExit(pid, 30_000)) return;
  if (mode === "fast") return stopPostmaster(pid, "immediate");
  process.kill(pid, "SIGKILL");
  await waitForExit(pid, 10_000);
}

/** The port of a postmaster and whether it takes connections, from its own pid file. */
function readPidFile(directory) {
  try {
    const lines = readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3]), status: lines[7]?.trim() } : null;
  } catch {
    return null;
  }
}

/**
 * A pid file survives kill -9 and power cuts, and its number may belong to anybody by now. PostgreSQL
 * would take any process of the same user for a postmaster; we look at what it is, and if it is something
 * else write down an id that no process has. The rest of the file stays: by it PostgreSQL finds sessions
 * that have outlived a killed postmaster.
 */
function disownPidFile(directory) {
  const file = readPidFile(directory);
  if (!file || !isAlive(file.pid) || isOurs(file.pid, directory)) return;
  const path = join(directory, "postmaster.pid");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^.*/, "2147483647"));
}

function isOurs(pid, directory) {
  if (!isAlive(pid)) return false;
  const command = commandLine(pid);
  return /postgres/.test(command) && command.includes(`-D ${directory} `);
}

function clusterVersion(directory) {
  const file = join(directory, "PG_VERSION");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

/** Nothing of ours: PG* variables would steer it, secrets are none of its business. */
function quietEnv() {
  return {
    PATH: process.env.PATH ?? "",
    LC_ALL: "C",
    TZ: "UTC",
    ...(process.platform === "win32" ? process.env : {}),
  };
}

/** A database in a running cluster, made unless it is there. */
export async function ensureDatabase(adminUrl, name) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** @returns the URL of a database in an embedded cluster. */
export function clusterUrl(port, password, database) {
  return `postgresql://${POSTGRES_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}
