import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "@playwright/test";
import pg from "pg";

export type App = {
  /** Where the server listens, as a browser on this machine names it. */
  url: string;
  /** What the terminal would have printed for a first visit from elsewhere. */
  setupCode: string;
  /** For what a story needs and the product offers no way to: rows of another workspace. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Everything the server has written so far. */
  log(): string;
};

export const OWNER = { name: "Ada Tide", email: "ada@example.org", password: "correct horse battery" };
export const WORKSPACE = "Harbour";

const run = promisify(execFile);
const READY_LIMIT_MS = 60_000;

/**
 * A production server of this spec file's own, on an empty migrated database. Call it at the top of a
 * file; the handle is filled before the first test.
 *
 * @param options.withOwner false leaves the first visit to the story.
 */
export function serveApp({ withOwner = true } = {}): App {
  const app = {} as App;
  let child: ChildProcess | undefined;
  let client: pg.Client | undefined;
  const dataDir = mkdtempSync(join(tmpdir(), "tidemark-e2e-"));

  test.beforeAll(async () => {
    const databaseUrl = await createDatabase();
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TIDEMARK_DATA_DIR: dataDir,
      TIDEMARK_SECRET: randomBytes(32).toString("base64url"),
      CRON_SECRET: randomBytes(16).toString("base64url"),
      // The upstreams of the stories are on this machine.
      TIDEMARK_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
      PORT: "0",
      HOST: "127.0.0.1",
      LOG_LEVEL: "warn",
      NODE_ENV: "production" as const,
      TIDEMARK_URL: undefined,
    };
    const prepared = await run(process.execPath, ["--import", "tsx", "scripts/prepare-database.ts"], { env });
    app.setupCode = (JSON.parse(prepared.stdout.trim()) as { setupCode: string }).setupCode;

    // The channel makes the server end with us, however we end.
    child = spawn(process.execPath, ["scripts/serve.mjs"], { env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    let log = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (log += String(chunk)));
    app.log = () => log;
    app.url = await ready(child, () => log);

    const connection = new pg.Client({ connectionString: databaseUrl });
    await connection.connect();
    client = connection;
    app.sql = async (text, values) => (await connection.query(text, values)).rows;
    if (withOwner) await createOwner(app.url);
  });

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  test.afterEach(async ({}, info) => {
    if (info.status !== info.expectedStatus && app.log) process.stderr.write(app.log());
  });

  test.afterAll(async () => {
    await client?.end();
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child?.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(dataDir, { recursive: true, force: true });
  });
  return app;
}

async function createDatabase(): Promise<string> {
  const adminUrl = process.env.TIDEMARK_E2E_DATABASE;
  if (!adminUrl) throw new Error("global-setup.ts has not run");
  const name = `e2e_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function ready(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLong = setTimeout(
      () => reject(new Error(`The server was not ready in time:\n${log()}`)),
      READY_LIMIT_MS,
    );
    child.on("message", (message: { type?: string; url?: string }) => {
      if (message.type !== "ready" || !message.url) return;
      clearTimeout(tooLong);
      resolve(message.url);
    });
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${log()}`)));
  });
}

/** The first visit's call, for stories that begin after it. */
async function createOwner(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/trpc/setup.createOwner`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ json: { ...OWNER, workspaceName: WORKSPACE } }),
  });
  if (!answer.ok) throw new Error(`createOwner answered ${answer.status}: ${await answer.text()}`);
}
