import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findPostmaster } from "@/scripts/lib/postgres.mjs";
import { runCli, startUp, type UpProcess } from "./up-process";

let directory: string;
let env: Record<string, string>;
let up: UpProcess | null = null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-up-"));
  env = { TIDEMARK_DATA_DIR: directory };
});
afterEach(async () => {
  await up?.signal("SIGTERM");
  up = null;
  await rm(directory, { recursive: true, force: true });
});

it("starts, says where to go, keeps its secrets to itself and stops without a trace", async () => {
  // Somebody else has the usual port; perhaps even before us.
  const other = createServer()
    .on("error", () => {})
    .listen(3000, "127.0.0.1");
  up = await startUp(env);
  expect(up.output()).toMatch(/Port 3000 is taken by another program; using \d+/);
  expect(up.output()).toMatch(/\/setup and create your account/);
  expect(up.output()).toMatch(/set-up code: [0-9A-Z-]{14}/);
  await expectHealthy(up.url);
  for (const name of ["secret", "cron-secret", "database-password"]) {
    expect((await stat(join(directory, name))).mode & 0o777, name).toBe(0o600);
  }

  const second = await startUp(env).catch((error: Error) => error.message);
  expect(second).toMatch(/npm run up is already running here \(process \d+\); stop it first/);

  const { url } = up;
  expect(await up.signal("SIGTERM")).toBe(0);
  up = null;
  other.close();
  expect(findPostmaster(join(directory, "postgres"))).toBeNull();
  await expect(fetch(url)).rejects.toThrow();
});

it("loses nothing when any of its processes is killed", async () => {
  const created = await runCli(
    env,
    "user",
    "create",
    "--email",
    "ada@harbour.example",
    "--password",
    "a long password",
    "--role",
    "owner",
  );
  expect(created, created.stderr).toMatchObject({ code: 0 });

  up = await startUp(env);
  const token = await runCli(env, "token", "create", "--name", "kills", "--scopes", "all");
  // The token alone, so that a script can take it as it is.
  expect(token.stdout, token.stderr).toMatch(/^tdm_\S+\n$/);
  const source = await call(up.url, token.stdout.trim(), "POST", { type: "api", name: "Kept" });

  process.kill(await serverPid(), "SIGKILL");
  await expectHealthy(up.url);
  process.kill(postmasterPid(), "SIGKILL");
  await expectHealthy(up.url);

  // The supervisor itself: its server and its PostgreSQL are left over, and the next one clears up.
  const leftOver = postmasterPid();
  await up.signal("SIGKILL");
  up = await startUp(env);
  expect(postmasterPid()).not.toBe(leftOver);
  await expectHealthy(up.url);
  const { items } = await call(up.url, token.stdout.trim(), "GET");
  expect(items).toMatchObject([{ id: source.id, name: "Kept" }]);
});

it("wants a secret with a database of one's own, and says how to make one", async () => {
  const ended = await startUp({ ...env, DATABASE_URL: "postgresql://127.0.0.1:1/nothing" }).catch(
    (error: Error) => error.message,
  );
  expect(ended).toMatch(/TIDEMARK_SECRET must be set too.*openssl rand -base64 32/s);
});

/** Waits: what was killed is being started again. */
async function expectHealthy(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const answer = await fetch(`${url}/api/health`)
      .then((response) => response.json())
      .catch(() => null);
    if (answer?.status === "ok") return;
    if (Date.now() > deadline) throw new Error(`not healthy: ${JSON.stringify(answer)}\n${up?.output()}`);
    await delay(100);
  }
}

async function call(
  url: string,
  token: string,
  method: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/v1/sources`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  expect(response.ok, `${response.status}`).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

async function serverPid(): Promise<number> {
  return JSON.parse(await readFile(join(directory, "server.pid"), "utf8")).pid;
}

function postmasterPid(): number {
  const postmaster = findPostmaster(join(directory, "postgres"));
  if (!postmaster) throw new Error("PostgreSQL does not run");
  return postmaster.pid;
}
