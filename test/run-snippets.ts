import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { getRequestListener } from "@hono/node-server";
import type { Db } from "@/server/db";
import { createGraphqlHandler } from "@/server/graphql/handle-request";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { createRestApp } from "@/server/rest/app";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");

export type Block = { language: string; text: string };

/** The fenced blocks of a Markdown text, in their order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

export type SnippetRunner = {
  /** Runs blocks of a document in one shell, exactly as printed. @returns what they wrote. */
  shell(blocks: string[], env: Record<string, string>): Promise<string>;
  python(text: string, env: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Runs snippets that say http://localhost:3000 against the API on a port of its own: curl and Python are
 * told where that is, the snippets are not touched.
 */
export async function startSnippetRunner(db: Db, databaseUrl: string): Promise<SnippetRunner> {
  const rest = createRestApp(() => db);
  const graphql = createGraphqlHandler(() => db);
  const server = createServer(
    getRequestListener((request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/api/graphql") return graphql(request);
      return pathname === "/api/metrics" ? answerMetrics(request, () => db) : rest.fetch(request);
    }),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const home = await mkdtemp(join(tmpdir(), "snippets-"));
  await writeFile(
    join(home, ".curlrc"),
    `connect-to = "localhost:3000:127.0.0.1:${port}"\nmax-time = 20\nnoproxy = "*"\n`,
  );
  await writeFile(join(home, "sitecustomize.py"), REDIRECT.replace("PORT", String(port)));
  const baseEnv = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    CURL_HOME: home,
    PYTHONPATH: home,
    DATABASE_URL: databaseUrl,
    TIDEMARK_SECRET: process.env.TIDEMARK_SECRET ?? "",
    NODE_ENV: "production" as const,
    npm_config_update_notifier: "false",
  };
  const start = async (program: string, args: string[], env: Record<string, string>) => {
    const { stdout } = await run(program, args, { cwd: root, env: { ...baseEnv, ...env }, timeout: 60_000 });
    return stdout;
  };
  return {
    shell: (blocks, env) => start("bash", ["-euo", "pipefail", "-c", blocks.join("\n")], env),
    python: (text, env) => start("python3", ["-c", text], env),
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(home, { recursive: true });
    },
  };
}

/** Python has no setting for this: its own way to start code with every interpreter. */
const REDIRECT = `
import socket
_connect = socket.create_connection

def _redirected(address, *args, **kwargs):
    return _connect(("127.0.0.1", PORT) if address == ("localhost", 3000) else address, *args, **kwargs)

socket.create_connection = _redirected
`;

/** Is python3 there? */
export async function hasPython(): Promise<boolean> {
  return run("python3", ["--version"]).then(
    () => true,
    () => false,
  );
}
