import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createToken } from "@/server/access/tokens";
import { useDatabase } from "./database";
import { createCaller } from "./factories";
import { createTrpcHandler } from "./trpc-handler";

// A compiler as a process: seconds, more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");

const t = useDatabase();
let folder: string;
let server: ServerType;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidemark-readme-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [, section = ""] = readme.split("## Push from TypeScript\n");
  const [, script = ""] = /^```ts\n(.*?)^```/ms.exec(section) ?? [];
  await writeFile(join(folder, "push.ts"), script);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const fetch = createTrpcHandler(t.db);
  await new Promise<void>((listening) => {
    server = serve({ fetch, hostname: "127.0.0.1", port: 0 }, listening as () => void);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  if ("closeAllConnections" in server) server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

it("the README's script pushes over tRPC exactly as it is printed, and may be run again", async () => {
  const caller = await createCaller(t.db);
  const scopes = ["sources:read", "sources:write", "documents:write", "runs:write"] as const;
  const { token } = await createToken(t.db, caller, { name: "script", scopes });
  const push = async (TIDEMARK_TOKEN: string) => {
    const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
    const env = { ...process.env, TIDEMARK_URL: url, TIDEMARK_TOKEN };
    return run(process.execPath, [tsx, "push.ts"], { cwd: folder, env });
  };
  expect((await push(token)).stdout).toBe("1 indexed, 0 skipped, now at 2026-06-14T09:00:00Z\n");
  expect((await push(token)).stdout).toBe("0 indexed, 1 skipped, now at 2026-06-14T09:00:00Z\n");
  const where = { workspaceId: caller.workspaceId };
  expect(await t.db.document.findMany({ where })).toMatchObject([{ externalId: "a-17", title: "Ebb" }]);
  expect(await t.db.syncRun.findMany({ where })).toMatchObject([
    { status: "succeeded", executor: "api" },
    { status: "succeeded", executor: "api" },
  ]);
  await expect(push("tdm_1_wrong")).rejects.toMatchObject({
    stderr: expect.stringContaining("unauthenticated"),
  });
});

it("compiles strictly against the published types", async () => {
  const compilerOptions = {
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2022",
    lib: ["es2022", "dom"],
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    paths: { "@tidemark/client/trpc": [join(root, "sdk/trpc/index.ts")] },
  };
  const wrong = 'tidemark.runs.start.mutate({ feed: "x" });';
  await writeFile(
    join(folder, "wrong.ts"),
    `${await readFile(join(folder, "push.ts"), "utf8")}\n// @ts-expect-error an input is not anything\n${wrong}\n`,
  );
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["push.ts", "wrong.ts"] }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((error) => error);
  expect(stdout).toBe("");
});
