import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type APIRequestContext, type BrowserContext, request, test } from "@playwright/test";
import pg from "pg";
import { cloneTemplate } from "../test/clone-template";

export type App = {
  /** Where the server listens, as a browser on this machine names it. */
  url: string;
  /** What the terminal would have printed for a first visit from elsewhere. */
  setupCode: string;
  /** Calls as the owner, signed in: for what stories begin with. Not there without an owner. */
  asOwner: APIRequestContext;
  /** Signs the owner in without the form, which is e2e/access.spec.ts's: pages opened from now on know them. */
  signIn(context: BrowserContext): Promise<void>;
  /** For what a story needs and the product offers no way to: rows of another workspace. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Calls a cron route, as an installation without a scheduler of its own does: what is due is done now. */
  cron(name: "sync" | "maintain"): Promise<void>;
  /** Everything the server has written so far. */
  log(): string;
};

export const OWNER = { name: "Ada Tide", email: "ada@example.org", password: "correct horse battery" };
export const WORKSPACE = "Harbour";

const READY_LIMIT_MS = 60_000;

/**
 * A production server of this spec file's own, on a database of its own in which nothing is yet. Call it at the top of a
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
    const databaseUrl = await cloneTemplate(
      preparedOnce("TIDEMARK_E2E_DATABASE"),
      `e2e_${randomBytes(6).toString("hex")}`,
    );
    app.setupCode = preparedOnce("TIDEMARK_E2E_SETUP_CODE");
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TIDEMARK_DATA_DIR: dataDir,
      TIDEMARK_SECRET: preparedOnce("TIDEMARK_E2E_SECRET"),
      CRON_SECRET: randomBytes(16).toString("base64url"),
      // The upstreams of the stories are on this machine.
      TIDEMARK_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
      PORT: "0",
      HOST: "127.0.0.1",
      LOG_LEVEL: "warn",
      NODE_ENV: "production" as const,
      TIDEMARK_URL: undefined,
    };

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
    app.cron = async (name) => {
      const headers = { authorization: `Bearer ${env.CRON_SECRET}` };
      const answer = await fetch(`${app.url}/api/cron/${name}`, { method: "POST", headers });
      if (!answer.ok) throw new Error(`/api/cron/${name} answered ${answer.status}: ${await answer.text()}`);
    };
    if (!withOwner) return;
    await createOwner(app.url);
    app.asOwner = await signInOwner(app.url);
    const { cookies } = await app.asOwner.storageState();
    app.signIn = (context) => context.addCookies(cookies);
  });

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  test.afterEach(async ({}, info) => {
    if (info.status !== info.expectedStatus && app.log) process.stderr.write(app.log());
  });

  test.afterAll(async () => {
    await app.asOwner?.dispose();
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

/** @param name What global-setup.ts left in the environment. */
function preparedOnce(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error("global-setup.ts has not run");
  return value;
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

/** Says what the form says, and keeps the cookies. */
async function signInOwner(url: string): Promise<APIRequestContext> {
  const context = await request.newContext();
  const { csrfToken } = (await (await context.get(`${url}/api/auth/csrf`)).json()) as { csrfToken: string };
  const { email, password } = OWNER;
  const form = { csrfToken, email, password, json: "true" };
  const answer = await context.post(`${url}/api/auth/callback/credentials`, { form });
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`);
  return context;
}
