import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { fillStore } from "@/test/whole-store";

const t = useDatabase();
const ROOT = fileURLToPath(new URL("..", import.meta.url));
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-cli-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs the command the way scripts/cli.mjs does, for somebody who is in `directory`. */
function cli(args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", "cli/main.ts", ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        DATABASE_URL: t.url,
        TIDEMARK_DATA_DIR: join(directory, "data"),
        TIDEMARK_CALLER_DIRECTORY: directory,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

it("backs up into a file and restores it, keeps what it replaces, and says what that means", async () => {
  const { caller, feedId } = await fillStore(t.db);
  const file = join(directory, "store.backup");
  expect(await cli(["db", "backup", "store.backup"])).toEqual({
    code: 0,
    out: `${file}\n`,
    err: expect.stringMatching(/^Backed up 4 documents in 1 feeds?: .*TIDEMARK_SECRET is not in it/),
  });
  await ingestDocuments(t.db, caller, { feedId, documents: [{ id: "later" }] as never });

  const restored = await cli(["db", "restore", "store.backup"]);
  expect(restored).toMatchObject({ code: 0, out: "" });
  const [safety] = await readdir(join(directory, "data/backups"));
  expect(restored.err).toContain(join(directory, "data/backups", safety ?? "none"));
  expect(restored.err).toMatch(/Every cursor of the change feed has expired.*sign in again/);
  expect(restored.err).not.toContain("upstream credentials");
  expect(await t.db.document.count()).toBe(4);

  // Elsewhere, under another secret: what is sealed stays closed, and that is said.
  const elsewhere = await cli(["db", "restore", file, "--replace"], {
    TIDEMARK_SECRET: "another-secret-another-secret-another-000",
  });
  expect(elsewhere.err).toMatch(
    /1 of 1 stored upstream credentials were sealed under another TIDEMARK_SECRET/,
  );

  const bytes = await readFile(file);
  await writeFile(join(directory, "cut.backup"), bytes.subarray(0, 2_000));
  expect(await cli(["db", "restore", "cut.backup"])).toEqual({
    code: 1,
    out: "",
    err: expect.stringMatching(/^This backup is damaged or was cut off.*\n$/),
  });
  expect(await cli(["db", "restore", "--replace"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Missing: FILE"),
  });
  expect(await cli(["db", "restore", "none.backup"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no file"),
  });
  expect(await cli(["db", "backup", "--replace", "x"])).toMatchObject({ code: 2 });
}, 120_000);
