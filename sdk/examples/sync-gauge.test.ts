import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describeAdapterContract } from "@tidemark/client/testing";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { reapRuns } from "@/server/runs/reap-runs";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { type RestServer, startRestServer } from "@/test/rest-server";
import { waitUntil } from "@/test/wait-until";
import { gauge } from "./gauge-adapter.ts";

// The shortest lease there is: a killed run is given up soon.
process.env.TIDEMARK_LEASE_SECONDS = "2";

const READINGS = 500;
const PAGE_SIZE = 40;
const root = resolve(import.meta.dirname, "../..");

const readingsAfter = (after: number, limit: number) =>
  Array.from({ length: Math.max(0, Math.min(READINGS - after, limit)) }, (_, i) => ({
    id: after + i + 1,
    at: new Date(Date.UTC(2026, 5, 14, 0, after + i)).toISOString(),
    level: ((after + i) % 50) / 10,
  }));

describeAdapterContract(
  gauge,
  {
    config: { pageSize: 40 },
    feed: { url: "https://gauges.example/7" },
    fetch: async (url) => {
      const { searchParams, href } = new URL(url);
      const page = readingsAfter(Number(searchParams.get("after")), Number(searchParams.get("limit")));
      const body = new TextEncoder().encode(JSON.stringify(page));
      return { status: 200, headers: {}, body, url: href, movedPermanently: false };
    },
    externalIds: Array.from({ length: READINGS }, (_, i) => String(i + 1)),
  },
  { describe, it },
);

const t = useDatabase();
let caller: Caller;
let feedId: string;
let access: { url: string; token: string };
let server: RestServer;
let folder: string;
let upstream: Server;
/** From which reading on the upstream keeps its caller waiting, and who is told when one asks. */
const gate = { after: Number.POSITIVE_INFINITY, onHeld: () => {} };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidemark-gauge-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const entry = (name: string) => join(root, "sdk", name);
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    resolve: {
      alias: {
        "@tidemark/client/adapter": entry("adapter-kit.ts"),
        "@tidemark/client/node": entry("node.ts"),
      },
    },
    build: {
      ssr: entry("examples/sync-gauge.ts"),
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: "sync-gauge.mjs" } },
    },
  });
  upstream = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const after = Number(searchParams.get("after"));
    if (after >= gate.after) return gate.onHeld();
    response.end(JSON.stringify(readingsAfter(after, Number(searchParams.get("limit")))));
  });
  await new Promise<void>((listening) => upstream.listen(0, "127.0.0.1", listening));
  caller = await createCaller(t.db);
  const externalKey = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/gauges/7`;
  feedId = (await createFeed(t.db, caller, { watermark: "idSet", externalKey })).id;
  const scopes = ["sources:read", "documents:write", "runs:write"] as const;
  const { token } = await createToken(t.db, caller, { name: "gauge", scopes });
  server = await startRestServer(t.db);
  access = { url: server.url, token };
});
afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): ChildProcess {
  const args = [join(folder, "sync-gauge.mjs"), feedId, join(folder, "state.json")];
  return spawn(process.execPath, args, {
    env: { ...process.env, TIDEMARK_URL: access.url, TIDEMARK_TOKEN: access.token, ...env },
  });
}

async function runToEnd(env: Record<string, string> = {}) {
  const child = start(env);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (output += String(data)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

const runs = () => t.db.syncRun.findMany({ where: { feedId }, orderBy: { id: "asc" } });

it("killed in the middle, it leaves an abandoned run, and the next one ends equal", async () => {
  const held = new Promise<void>((isHeld) => Object.assign(gate, { after: 200, onHeld: isHeld }));
  const child = start();
  await held;
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
  gate.after = Number.POSITIVE_INFINITY;

  // What had arrived is there, with its cursor; the dead run still counts as alive.
  expect(await t.db.feed.findFirst({ where: { id: feedId } })).toMatchObject({ cursor: "200" });
  expect(await t.db.document.count({ where: { feedId, state: "live" } })).toBe(200);
  expect(await runToEnd()).toMatchObject({ code: 75, output: expect.stringContaining("in progress") });
  await waitUntil(async () => (await reapRuns(t.db)) === 1, "the dead run's lease runs out");

  expect(await runToEnd()).toMatchObject({
    code: 0,
    output: expect.stringMatching(/now at 240[\s\S]*succeeded: 300 new, 0 changed/),
  });
  const rows = await t.db.document.findMany({ where: { feedId, state: "live" } });
  const stored = new Map(
    rows.map((row) => [row.externalId, [row.title, row.date?.toISOString(), row.metadata]]),
  );
  const wanted = readingsAfter(0, READINGS).map(
    ({ id, at, level }) => [String(id), [`${level.toFixed(2)} m`, at, { level }]] as const,
  );
  expect(stored).toEqual(new Map(wanted));
  expect(await runs()).toMatchObject([
    { status: "abandoned", pages: 200 / PAGE_SIZE, created: 200, error: { code: "run_abandoned" } },
    { status: "succeeded", executor: "api", created: 300, cursorBefore: "200", cursorAfter: "500" },
  ]);
  expect(await t.db.feed.findFirst({ where: { id: feedId } })).toMatchObject({
    failingSince: null,
    consecutiveFailures: 0,
    documentCount: READINGS,
  });
});

it("says what is wrong with its access, and ends", async () => {
  const { code, output } = await runToEnd({ TIDEMARK_TOKEN: "tdm_1_wrong" });
  expect(code).not.toBe(0);
  expect(output).toContain("unauthenticated");
});
