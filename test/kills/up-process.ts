import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
/** Nothing but what is given: a developer's shell must not steer the tests. */
const baseEnv = {
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  NODE_ENV: "production",
} as const;

export type UpProcess = {
  url: string;
  output(): string;
  signal(name: NodeJS.Signals): Promise<number | null>;
};

/** `npm run up` without npm. Ends with the tests, because it notices the end of its channel. */
export async function startUp(env: Record<string, string>): Promise<UpProcess> {
  let output = "";
  const child = spawn(process.execPath, [join(root, "scripts/up.mjs")], {
    env: { ...baseEnv, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        output += chunk;
        const ready = output.match(/Tidemark is running on (\S+)/)?.[1];
        if (ready) resolve(ready);
      });
    }
    child.once("exit", (code) => reject(new Error(`up ended with ${code}:\n${output}`)));
  });
  return { url, output: () => output, signal: (name) => end(child, name) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, "exit");
  child.kill(signal);
  const [code] = await exited;
  return code;
}

/** `npm run cli -- …` without npm. */
export async function runCli(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(root, "scripts/cli.mjs"), ...args], {
    env: { ...baseEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = await once(child, "close");
  return { code: code as number, stdout, stderr };
}
