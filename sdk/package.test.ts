import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

it("is shown by examples that compile", async () => {
  const readme = await readFile(join(installed(), "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code ?? "");
  expect(blocks).toHaveLength(3);
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
  expect(await bundle("@tidemark/client/node")).toMatch(/browser-external/);
});

/** @returns what the compiler complains about, strictly and in the package's own declarations too. */
async function compile(resolution: object, files: string[]): Promise<string> {
  const compilerOptions = {
    ...resolution,
    target: "es2022",
    lib: ["es2022", "dom"],
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
