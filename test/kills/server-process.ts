import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export type ServerProcess = {
  url: string;
  /** SIGKILL: nothing of it gets a chance to clean up. */
  kill(): Promise<void>;
  /** On the same port, as `npm run up` does it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** What it printed. */
  output(): string;
};

/**
 * The real production server: scripts/serve.mjs on the build. It cannot outlive the tests, because it
 * stops when the channel to its parent closes.
 */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  let output = "";
  let port = "0";
  let child = await launch();

  async function launch(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [join(import.meta.dirname, "../../scripts/serve.mjs")], {
      // Only what is given: a .env file or the shell must not steer the tests.
      env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", LOG_LEVEL: "warn", ...env, PORT: port },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [started.stdout, started.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const ready = await Promise.race([
      once(started, "message").then(([message]) => message as { type: string; port: number }),
      once(started, "exit").then(() => null),
    ]);
    if (ready?.type !== "ready") throw new Error(`the server did not start:\n${output}`);
    port = String(ready.port);
    return started;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    kill: () => end("SIGKILL"),
    async restart() {
      child = await launch();
    },
    stop: () => end("SIGTERM"),
    output: () => output,
  };
}
