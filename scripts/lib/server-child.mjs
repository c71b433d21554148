import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "./log-file.mjs";
import { isAlive, startedAt, waitForExit } from "./processes.mjs";
import { dataDir, Problem, root } from "./project.mjs";

/** serve.mjs gives its requests and runs twelve seconds. */
const STOP_LIMIT_MS = 20_000;
const READY_LIMIT_MS = 120_000;
/**
 * V8 starts with 16 MiB for young objects; a body of 50 documents and its copies fill that so often that
 * an eighth of an ingest call went into collecting.
 */
const NODE_FLAGS = ["--max-semi-space-size=64"];

/**
 * Stops a server whose supervisor was killed. It notices by itself and finishes its requests, but until
 * then it would hold the port and work beside the next one.
 */
export async function stopLeftoverServer() {
  if (!existsSync(pidFile())) return;
  const { pid, started } = JSON.parse(readFileSync(pidFile(), "utf8") || "{}");
  if (!pid || !isAlive(pid) || startedAt(pid) !== started) return;
  process.kill(pid, "SIGTERM");
  if (!(await waitForExit(pid, STOP_LIMIT_MS))) process.kill(pid, "SIGKILL");
}

function pidFile() {
  return join(dataDir(), "server.pid");
}

/**
 * Starts scripts/serve.mjs as a child and waits until it listens. Its output goes to a log file.
 *
 * @returns `{ pid, port, url, exited, stop() }`; `exited` resolves with a description of the end.
 * @throws Problem with the last lines of its output when it ends before it is ready.
 */
export async function startServer(env, logFile) {
  const log = openLog(logFile);
  const child = spawn(process.execPath, [...NODE_FLAGS, join(root, "scripts/serve.mjs")], {
    cwd: root,
    env: { ...process.env, ...env, NODE_ENV: "production" },
    // Ctrl-C reaches the whole foreground group; the order of stopping is the supervisor's business.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  writeFileSync(pidFile(), JSON.stringify({ pid: child.pid, started: startedAt(child.pid) }));
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      log.write(chunk);
      tail = (tail + chunk).slice(-4_000);
    });
  }
  const exited = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void exited.then(() => log.end());

  const ready = new Promise((resolve) => {
    child.on("message", (message) => {
      if (message?.type === "ready") resolve(message);
    });
  });
  const tooLong = setTimeout(() => child.kill("SIGKILL"), READY_LIMIT_MS);
  const first = await Promise.race([ready, exited]);
  clearTimeout(tooLong);
  if (typeof first === "string") {
    throw new Problem(`The server did not start (${first}):\n\n${tail.trim()}\n\nIts log: ${logFile}`);
  }
  return {
    pid: child.pid,
    port: first.port,
    url: first.url,
    note: first.note,
    exited,
    async stop() {
      child.kill("SIGTERM");
      if (!(await waitForExit(child.pid, STOP_LIMIT_MS))) child.kill("SIGKILL");
      await exited;
    },
  };
}
