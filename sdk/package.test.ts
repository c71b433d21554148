import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FakeServer } from "./testing/fake-server.ts";

// Compilers and npm as processes: seconds each, more on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const run = promisify(execFile);
const sdk = resolve(import.meta.dirname);
const tsc = resolve(sdk, "../node_modules/typescript/bin/tsc");

/** A project of somebody else's, with the packed package installed and nothing else. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "tidemark-client-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", project], { cwd: sdk });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("["))) as [{ filename: string }];
  await writeFile(join(project, "package.json"), '{ "name": "theirs", "private": true, "type": "module" }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(project, filename)], {
    cwd: project,
  });
});
/** What only some entries need, as its user would have it installed too. */
async function installPeers(): Promise<void> {
  await mkdir(join(project, "node_modules/@trpc"), { recursive: true });
  for (const name of ["zod", "@trpc/server", "@trpc/client", "superjson", "copy-anything", "is-what"]) {
    const target = join(project, "node_modules", name);
    await symlink(resolve(sdk, "../node_modules", name), target).catch(() => {}); // there from an earlier test
  }
}
afterAll(() => rm(project, { recursive: true, force: true }));

const installed = () => join(project, "node_modules/@tidemark/client");

it("holds what is needed to use it, no dependency, and nothing of the server", async () => {
  const files = await readdir(installed(), { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map((file) => file.name);
  expect(names).toEqual(
    expect.arrayContaining(["package.json", "README.md", "LICENSE", "index.js", "index.d.ts"]),
  );
  expect(names.filter((name) => /test|fake|mirror/i.test(name))).toEqual([]);
  expect(await readdir(installed())).toHaveLength(4);
  expect(await readdir(join(project, "node_modules/@tidemark"))).toEqual(["client"]);
  const root = JSON.parse(await readFile(resolve(sdk, "../package.json"), "utf8"));
  const own = JSON.parse(await readFile(join(installed(), "package.json"), "utf8"));
  expect(own).toMatchObject({ version: root.version, license: root.license, engines: root.engines });
  expect(own.dependencies).toBeUndefined();
});

it("runs from plain JavaScript", async () => {
  const server = await FakeServer.start();
  server.log.write("a", "Ebb");
  const script = `
    import { followChanges, pushDocuments, TidemarkError } from "@tidemark/client";
    import { createFileStore } from "@tidemark/client/node";
    const access = { url: process.argv[2], token: process.argv[3] };
    const seen = [];
    await followChanges({
      ...access,
      store: createFileStore("position"),
      apply: (changes) => void seen.push(...changes.map((change) => change.document.title)),
      stopWhenCaughtUp: true,
    });
    const { created } = await pushDocuments({ ...access, feedId: "feed_1", documents: [{ id: "x" }] });
    const error = await pushDocuments({ ...access, feedId: "none", documents: [] }).catch((error) => error);
    console.log(JSON.stringify({ seen, created, isOurs: error instanceof TidemarkError, code: error.code }));`;
  await writeFile(join(project, "script.js"), script);
  try {
    const args = ["script.js", server.access.url, server.access.token];
    const { stdout } = await run(process.execPath, args, { cwd: project });
    expect(JSON.parse(stdout)).toEqual({ seen: ["Ebb"], created: 1, isOurs: true, code: "not_found" });
    expect(await readFile(join(project, "position"), "utf8")).toContain('"walking":false');
  } finally {
    await server.stop();
  }
});

it.each([
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
])("brings its types, whole and strict: %j", async (resolution) => {
  await writeFile(
    join(project, "use.ts"),
    `
    import { type Change, followChanges, pushDocuments, type Step, TidemarkError } from "@tidemark/client";
    import { createFileStore } from "@tidemark/client/node";
    export async function use(signal: AbortSignal): Promise<number> {
      const access = { url: "https://tidemark.example", token: "tdm_x" };
      const apply = async (changes: Change[], { position, sweep }: Step) => {
        for (const change of changes) {
          const title: string | null = change.op === "upsert" ? change.document.title : null;
          void title;
          // @ts-expect-error a delete has no document
          change.document.title;
        }
        const text: string = position;
        void text;
        if (sweep) return;
      };
      await followChanges({ ...access, store: createFileStore("position"), apply, signal });
      // @ts-expect-error a position must be kept somewhere
      await followChanges({ ...access, apply });
      async function* documents(from: string | null) {
        yield { id: "a", metadata: { from } };
        yield { checkpoint: "5" };
      }
      const summary = await pushDocuments({ ...access, feedId: "feed_1", documents, cursor: () => "7" });
      // @ts-expect-error a document has an id
      await pushDocuments({ ...access, feedId: "feed_1", documents: [{ title: "Ebb" }] });
      if (new TidemarkError("rate_limited", "").code === "rate_limited") return summary.created;
      return 0;
    }`,
  );
  expect(await compile(resolution, ["use.ts"])).toBe("");
});

it.each([
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
])(
  "brings the adapter's contract and tRPC's types, with zod and @trpc/server beside it: %j",
  async (resolution) => {
    await installPeers();
    await writeFile(
      join(project, "adapt.ts"),
      `
    import { type Adapter, defineAdapter, runSync, UpstreamError } from "@tidemark/client/adapter";
    import { describeAdapterContract } from "@tidemark/client/testing";
    import type { AppRouter } from "@tidemark/client/trpc";
    import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
    import { z } from "zod";
    const adapter = defineAdapter({
      type: "theirs", name: "Theirs", description: "", watermark: "idSet", auth: ["none"],
      config: z.object({ size: z.number() }), runsOn: ["agent"], externalKey: "any",
      async *sync({ config }) {
        const size: number = config.size;
        // @ts-expect-error the schema has no such field
        config.colour;
        if (size > 9) throw new UpstreamError("gone", "Gone.", { retryable: false });
        yield { documents: [{ id: "a" }], cursor: { type: "idSet", high: "a", recent: [] } };
      },
    });
    const client = { url: "https://tidemark.example", token: "tdm_x" };
    export async function use(): Promise<number> {
      const { created } = await runSync({ adapter, feed: "feed_1", client, config: { size: 3 } });
      // @ts-expect-error a config is what the schema takes
      await runSync({ adapter, feed: "feed_1", client, config: { size: "3" } });
      return created;
    }
    declare const describe: (name: string, body: () => void) => void;
    declare const it: (name: string, body: () => Promise<void>) => void;
    describeAdapterContract(adapter as Adapter, { fetch: async () => { throw 0; }, externalIds: [] }, { describe, it });
    export const input: inferRouterInputs<AppRouter>["runs"]["start"] = { feedId: "feed_1" };
    export const cursor = (run: inferRouterOutputs<AppRouter>["runs"]["start"]): string | null => run.cursor;
    // @ts-expect-error a run belongs to a feed
    export const none: inferRouterInputs<AppRouter>["runs"]["start"] = {};`,
    );
    // The declarations of @trpc/server themselves need the last one.
    const lib = ["es2022", "dom", "esnext.disposable"];
    expect(await compile({ ...resolution, lib }, ["adapt.ts"])).toBe("");
  },
);

it("runs an adapter's contract from plain JavaScript, in node's own test runner", async () => {
  await installPeers();
  const script = `
    import { defineAdapter, throwForStatus } from "@tidemark/client/adapter";
    import { describeAdapterContract } from "@tidemark/client/testing";
    import { describe, it } from "node:test";
    import { z } from "zod";
    const adapter = (lastPage) => defineAdapter({
      type: "pages", name: "", description: "", watermark: "none", auth: ["none"], config: z.object({}),
      runsOn: ["agent"], externalKey: "",
      async *sync({ fetch, signal, now }) {
        for (let page = 1; page <= lastPage; page++) {
          const response = await fetch("https://up.example/" + page, { signal });
          throwForStatus(response, now());
          yield { documents: [{ id: String(page) }] };
        }
      },
    });
    const fetch = async (url) => ({ status: 200, headers: {}, body: new Uint8Array(), url, movedPermanently: false });
    const pages = Number(process.argv[2]);
    describeAdapterContract(adapter(pages), { fetch, externalIds: ["1", "2"] }, { describe, it });`;
  await writeFile(join(project, "contract.js"), script);
  // As a program of its own, not as a part of the run that this test is in.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: project, env };
  const good = await run(process.execPath, ["contract.js", "2"], options);
  expect(good.stdout).toMatch(/pass 7[\s\S]*fail 0/);
  const bad = await run(process.execPath, ["contract.js", "1"], options).catch((error) => error);
  expect(bad.stdout).toMatch(/A sync must bring 1, 2\. Found: \["1"\]/);
});

it("is shown by examples that compile", async () => {
  await installPeers();
  const readme = await readFile(join(installed(), "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code ?? "");
  expect(blocks).toHaveLength(4);
  const files = await Promise.all(
    blocks.map(async (code, n) => {
      await writeFile(join(project, `readme-${n}.ts`), code);
      return `readme-${n}.ts`;
    }),
  );
  // What the examples use of Node, whose types this project does not have.
  const node = `declare const process: {
    env: Record<string, string | undefined>;
    once(event: string, then: () => void): void;
  };`;
  await writeFile(join(project, "node.d.ts"), node);
  const resolution = { module: "nodenext", moduleResolution: "nodenext" };
  expect(await compile(resolution, [...files, "node.d.ts"])).toBe("");
});

it("has nothing of Node in its main entry, and only there", async () => {
  expect(await bundle("@tidemark/client")).not.toMatch(/["']node:|browser-external|\bprocess\.|\bBuffer\b/);
  expect(await bundle("@tidemark/client/adapter")).not.toMatch(
    /["']node:|browser-external|\bprocess\.|\bBuffer\b/,
  );
  expect(await bundle("@tidemark/client/node")).toMatch(/browser-external/);
});

/** @returns what the compiler complains about, strictly and in the package's own declarations too. */
async function compile(resolution: object, files: string[]): Promise<string> {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    ...resolution,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(process.execPath, [tsc, "-p", project]).catch((error) => error);
  return stdout;
}

/** The code that a browser would be sent. */
async function bundle(entry: string): Promise<string> {
  await mkdir(join(project, "page"), { recursive: true });
  const page = join(project, "page/main.js");
  await writeFile(page, `export * from "${entry}";`);
  const output = (await build({
    root: project,
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: false, lib: { entry: page, formats: ["es"] } },
  })) as Rollup.RollupOutput[];
  return output.flatMap(({ output }) => output.map((part) => ("code" in part ? part.code : ""))).join("\n");
}
