import { spawn } from "node:child_process";
import { Problem, root } from "./project.mjs";

const running = new Set();

/** Prints what is being done and, when it is done, how long it took. */
export async function step(title, work) {
  const began = Date.now();
  const live = process.stdout.isTTY;
  process.stdout.write(live ? `  … ${title}` : `  … ${title}\n`);
  let note;
  try {
    note = await work();
  } catch (error) {
    process.stdout.write(`${live ? "\r\x1b[K" : ""}  ✗ ${title} (${seconds(began)})\n`);
    throw error;
  }
  const tail = typeof note === "string" ? `: ${note}` : "";
  process.stdout.write(`${live ? "\r\x1b[K" : ""}  ✓ ${title}${tail} (${seconds(began)})\n`);
}

export function seconds(began) {
  const elapsed = (Date.now() - began) / 1000;
  return elapsed < 10 ? `${elapsed.toFixed(1)} s` : `${Math.round(elapsed)} s`;
}

/**
 * Runs a command to its end and keeps quiet about it.
 *
 * @returns its stdout.
 * @throws Problem with the last lines of its output when it fails.
 */
export async function run(command, args, { env = {}, cwd = root, what = command } = {}) {
  const result = await attempt(command, args, { env, cwd });
  if (result.code === 0) return result.stdout;
  const tail = result.output.trimEnd().split("\n").slice(-40).join("\n");
  throw new Problem(`${what} failed (${result.signal ?? `exit code ${result.code}`}):\n\n${tail}`);
}

/**
 * Like `run`, but a failure is a value.
 *
 * @param options.live Passes the output through while it comes.
 * @param options.timeoutMs Ends the command when it takes longer.
 */
export function attempt(command, args, { env = {}, cwd = root, live = false, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    running.add(child);
    let stdout = "";
    let output = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      output += chunk;
      if (live) process.stdout.write(chunk);
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
      if (live) process.stderr.write(chunk);
    });
    const finish = (result) => {
      running.delete(child);
      resolve({ stdout, output, ...result });
    };
    child.once("error", (error) => finish({ code: 127, signal: null, output: `${output}${error.message}` }));
    child.once("close", (code, signal) => finish({ code, signal }));
  });
}

/** Ends the commands that `run` and `attempt` still wait for. */
export function stopCommands() {
  for (const child of running) child.kill("SIGTERM");
}
