import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SCOPES } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { changeEpoch } from "@/server/changes/identity";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { createRandom, type Random } from "@/test/kills/random";
import { type RestServer, startRestServer } from "@/test/rest-server";
import { pushDocuments } from "../push/push-documents.ts";
import type { PushDocument } from "../wire.ts";

const DOCUMENTS = 1500;
const root = resolve(import.meta.dirname, "../..");

const t = useDatabase();
let caller: Caller;
let feedId: string;
let access: { url: string; token: string };
let server: RestServer;
let folder: string;
/** How many pulls the server still answers, and who is told when one more comes. */
const gate = { pulls: Number.POSITIVE_INFINITY, onHeld: () => {} };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidemark-mirror-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  // As one file of JavaScript: it starts in a tenth of the time that it takes to compile it at each start.
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    resolve: { alias: { "@tidemark/client": join(root, "sdk/index.ts") } },
    build: {
      ssr: join(root, "sdk/examples/mirror-to-sqlite.ts"),
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: "mirror.mjs" } },
    },
  });
  caller = await createCaller(t.db);
  feedId = (await createFeed(t.db, caller)).id;
  const { token } = await createToken(t.db, caller, { name: "mirror", scopes: SCOPES });
  server = await startRestServer(t.db, async (request) => {
    if (!request.url.includes("/changes?") || gate.pulls-- > 0) return;
    gate.onHeld();
    await once(request.signal, "abort");
  });
  access = { url: server.url, token };
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it("ends equal to the store however often it is killed, also in the middle of starting over", async () => {
  const random = createRandom();
  const push = (documents: PushDocument[]) => pushDocuments({ ...access, feedId, documents });
  await push(Array.from({ length: DOCUMENTS }, (_, n) => aDocument(n, "first")));

  // The first walk, cut after its first page, and a few more times wherever it is.
  await killAfterPulls(1);
  expect(readPosition()).toMatchObject({ walking: true });
  for (let i = 0; i < 4; i++) {
    await killAtRandom(random);
    const n = random.int(0, DOCUMENTS - 1);
    await push([aDocument(n, `changed ${i}`), { id: `d-${(n + 1) % DOCUMENTS}`, deleted: true }]);
  }
  await runOnce();
  expect(readMirror()).toEqual(await readStore());
  const { generation } = readPosition();

  // History is put back: what was there is gone without a tombstone, and every cursor expires.
  await t.db.document.deleteMany({
    where: { workspaceId: caller.workspaceId, externalId: { startsWith: "d-1" } },
  });
  const { epoch } = await t.db.instance.findFirstOrThrow();
  await changeEpoch(t.db, { from: epoch, why: "a test put history back" });
  await killAfterPulls(3); // the expired one and two pages
  expect(readPosition()).toMatchObject({ walking: true });
  expect(readPosition().generation).not.toBe(generation);
  // Nothing is removed before all of it is known.
  expect(readMirror().has("d-1")).toBe(true);
  for (let i = 0; i < 4; i++) {
    await killAtRandom(random);
    await push([aDocument(2000 + i, "new"), { id: `d-${20 + i}`, deleted: true }]);
  }
  await runOnce();
  expect(readMirror().has("d-1")).toBe(false);
  expect(readMirror()).toEqual(await readStore());
}, 120_000);

it("says what is wrong with its access, and ends", async () => {
  const { code, output } = await runToEnd("--once", { TIDEMARK_TOKEN: "tdm_1_wrong" });
  expect([code, output]).toEqual([1, expect.stringMatching(/\(unauthenticated, request /)]);
});

const aDocument = (n: number, text: string): PushDocument => ({
  id: `d-${n}`,
  title: `Document ${n}`,
  text: `${text}\n${"tide ".repeat(20)}`,
  metadata: { n, nested: ["ü", null] },
});

function startMirror(args: string[] = [], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(
    process.execPath,
    [join(folder, "mirror.mjs"), join(folder, "mirror.sqlite"), ...args],
    {
      env: { ...process.env, TIDEMARK_URL: access.url, TIDEMARK_TOKEN: access.token, ...env },
    },
  );
  return child;
}

async function runToEnd(arg: string, env: Record<string, string> = {}) {
  const child = startMirror([arg], env);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (output += String(data)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

async function runOnce(): Promise<void> {
  expect(await runToEnd("--once")).toMatchObject({ code: 0 });
}

/** Dies between two pages: when it asks for one more than it is given. */
async function killAfterPulls(pulls: number): Promise<void> {
  const held = new Promise<void>((resolve) => Object.assign(gate, { pulls, onHeld: resolve }));
  const child = startMirror();
  await held;
  await kill(child);
  gate.pulls = Number.POSITIVE_INFINITY;
}

/** Dies wherever it is: before its first page, within a transaction, while it waits. */
async function killAtRandom(random: Random): Promise<void> {
  const child = startMirror();
  await once(child, "spawn");
  const ended = once(child, "close");
  await new Promise((later) => setTimeout(later, random.int(80, 330)));
  child.kill("SIGKILL");
  await ended;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
}

type Copy = { title: unknown; text: unknown; version: unknown; metadata: unknown };

function readMirror(): Map<string, Copy> {
  const db = new DatabaseSync(join(folder, "mirror.sqlite"));
  try {
    const rows = db.prepare("SELECT * FROM documents ORDER BY external_id").all();
    return new Map(
      rows.map(({ external_id, title, text, version, metadata }) => [
        String(external_id),
        { title, text, version, metadata: JSON.parse(String(metadata)) },
      ]),
    );
  } finally {
    db.close();
  }
}

function readPosition(): { generation: string; walking: boolean } {
  const db = new DatabaseSync(join(folder, "mirror.sqlite"));
  try {
    return JSON.parse(String(db.prepare("SELECT position FROM follower").get()?.position));
  } finally {
    db.close();
  }
}

async function readStore(): Promise<Map<string, Copy>> {
  const rows = await t.db.document.findMany({
    where: { workspaceId: caller.workspaceId, state: "live" },
    select: { externalId: true, title: true, text: true, version: true, metadata: true },
  });
  const copies = rows.map(({ externalId, ...copy }) => [String(externalId), copy] as const);
  return new Map(copies.sort(([a], [b]) => (a < b ? -1 : 1)));
}
