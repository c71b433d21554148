import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, expect, it, vi } from "vitest";
import { createToken, revokeToken } from "@/server/access/tokens";
import { createDb, type Db } from "@/server/db";
import { env } from "@/server/env";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { applyMigrations } from "@/server/migrations/apply-migrations";
import { MIGRATIONS_DIRECTORY, readMigrations } from "@/server/migrations/read-migrations";
import { startRun } from "@/server/runs/start-run";
import { useScratch } from "@/test/scratch-databases";
import { contentOf, fillStore, queryAt, UPSTREAM_SECRET } from "@/test/whole-store";
import { TRAILER_BYTES } from "./archive-format";
import { backUpStore } from "./back-up-store";
import { listOwnedObjects } from "./owned-objects";
import { restoreStore } from "./restore-store";

const scratch = useScratch();
const { aStore, anEmptyDatabase, fileNamed } = scratch;
// Whole stores are copied and read to the last row, some several times.
vi.setConfig({ testTimeout: 120_000 });
let url: string;
let db: Db;

beforeEach(async () => {
  url = await aStore();
  db = createDb(url, 4);
  return () => db.$disconnect();
});

const epochOf = async (at: string) =>
  (await queryAt<{ epoch: string }>(at, "SELECT epoch FROM instance"))[0]?.epoch;

it("knows by name everything that the migrations make", async () => {
  const owned = listOwnedObjects(await readMigrations());
  const there = await queryAt<{ kind: string; name: string }>(
    url,
    `SELECT c.relkind::text AS kind, c.relname AS name FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND c.relkind = 'S')
     UNION ALL SELECT 'f', proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT 't', typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')`,
  );
  const names = (kind: string) =>
    [...new Set(there.filter((o) => o.kind === kind).map(({ name }) => name))].sort();
  // They may have made more: a later one drops what an earlier one made.
  expect(names("r").filter((name) => ![...owned.tables, "_prisma_migrations"].includes(name))).toEqual([]);
  expect(names("f").filter((name) => !owned.functions.includes(name))).toEqual([]);
  expect(names("t").filter((name) => !owned.types.includes(name))).toEqual([]);
  expect(names("S").filter((name) => !owned.sequences.includes(name))).toEqual([]);
  expect(names("r").length).toBeGreaterThan(20);
  expect([...names("v"), ...names("m"), ...names("p")]).toEqual([]);
});

it("carries a store into an empty database, row for row, and the file names no secret", async () => {
  await fillStore(db);
  const before = await contentOf(url);
  expect(before.documents).toHaveLength(4);
  const file = fileNamed("whole");
  const { header, bytes } = await backUpStore(url, file);
  expect(header.tables.find(({ name }) => name === "documents")?.rows).toBe(4);
  const content = await readFile(file);
  expect(content.length).toBe(bytes);
  const text = gunzipSync(content.subarray(0, -TRAILER_BYTES)).toString();
  expect(text).toContain("日本 🌊");
  for (const secret of [UPSTREAM_SECRET, "ebb and flow", env().TIDEMARK_SECRET]) {
    expect(text).not.toContain(secret);
  }

  const other = await anEmptyDatabase();
  const restored = await restoreStore(other, file, { safetyFile: fileNamed("unused") });
  expect(restored).toMatchObject({ safety: null, migrated: [] });
  expect(await contentOf(other)).toEqual(before);
  expect(await epochOf(other)).toBe(restored?.epoch);
  expect(await epochOf(other)).not.toBe(await epochOf(url));
  // The schema is the one that migrations make: nothing is left to do, and numbers go on.
  expect(await applyMigrations(other)).toEqual([]);
  const [old] = await queryAt<{ last: string }>(url, "SELECT last_value::text AS last FROM document_seq");
  const [next] = await queryAt<{ next: string }>(other, "SELECT nextval('document_seq')::text AS next");
  expect(BigInt(next?.next ?? 0)).toBeGreaterThan(BigInt(old?.last ?? 0));
});

it("puts the store back as it was, under a new epoch, and keeps what it replaced", async () => {
  const { caller, feedId } = await fillStore(db);
  const file = fileNamed("before");
  await backUpStore(url, file);
  const [before, epoch] = [await contentOf(url), await epochOf(url)];
  await ingestDocuments(db, caller, { feedId, documents: [{ id: "later", title: "Flood" }] as never });
  await db.source.create({
    data: { workspaceId: caller.workspaceId, id: "src_later", type: "api", name: "Later", runsOn: "api" },
  });
  const after = await contentOf(url);
  const [{ last }] = (await queryAt(url, "SELECT last_value AS last FROM document_seq")) as [
    { last: string },
  ];

  const restored = await restoreStore(url, file, { safetyFile: fileNamed("safety") });
  expect(await contentOf(url)).toEqual(before);
  expect(await epochOf(url)).not.toBe(epoch);
  const [now] = (await queryAt(url, "SELECT last_value AS last FROM document_seq")) as [{ last: string }];
  expect(BigInt(now.last), "no number is given out twice").toBeGreaterThanOrEqual(BigInt(last));

  // The way back.
  await restoreStore(url, restored?.safety?.file ?? "", { safetyFile: fileNamed("safety") });
  expect(await contentOf(url)).toEqual(after);
  // And the store works, for connections that knew it before.
  await expect(
    ingestDocuments(db, caller, { feedId, documents: [{ id: "last" }] as never }),
  ).resolves.toMatchObject({ created: 1 });
});

it("keeps revocations, signs everybody out, and fences off what ran", async () => {
  const { caller, feedId } = await fillStore(db);
  const { id: tokenId } = await createToken(db, caller, { name: "stolen", scopes: ["admin"] });
  const { runId } = await startRun(db, caller, { feedId, trigger: "api", executor: "api" });
  const file = fileNamed("running");
  await backUpStore(url, file);
  await revokeToken(db, caller, tokenId);
  await db.user.updateMany({ data: { sessionVersion: 7 } });

  expect(await restoreStore(url, file, { safetyFile: fileNamed("safety") })).toMatchObject({
    cancelledRuns: 1,
  });
  const [token] = await db.apiToken.findMany({ where: { id: tokenId } });
  expect(token?.revokedAt).not.toBeNull();
  const [user] = await db.user.findMany();
  expect(user?.sessionVersion).toBeGreaterThan(7);
  const [run] = await db.syncRun.findMany({ where: { id: runId } });
  expect(run).toMatchObject({ status: "cancelled", leaseExpiresAt: null, error: { code: "store_restored" } });
  await expect(
    ingestDocuments(db, caller, { feedId, runId, documents: [{ id: "late" }] as never }),
  ).rejects.toMatchObject({ code: "run_fenced" });
  await expect(startRun(db, caller, { feedId, trigger: "api", executor: "api" })).resolves.toBeTruthy();
});

it("brings a backup of an older version to this one", async () => {
  const migrations = await readMigrations();
  const older = join(scratch.directory, "older");
  for (const { name } of migrations.slice(0, 3)) {
    await cp(join(MIGRATIONS_DIRECTORY, name), join(older, name), { recursive: true });
  }
  const old = await anEmptyDatabase();
  await applyMigrations(old, older);
  await queryAt(old, "INSERT INTO workspaces (name) VALUES ('Harbour')");
  await queryAt(
    old,
    `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, title, seq)
     SELECT 1, 'doc_' || n, 'feed_1', 'src_1', n::text, 'Ebb', nextval('document_seq') FROM generate_series(1, 5) n`,
  );
  const file = fileNamed("older");
  expect((await backUpStore(old, file, { directory: older })).header.migrations).toHaveLength(3);

  await fillStore(db);
  const restored = await restoreStore(url, file, { safetyFile: fileNamed("safety") });
  expect(restored?.migrated).toEqual(migrations.slice(3).map(({ name }) => name));
  expect(await applyMigrations(url)).toEqual([]);
  expect(await db.document.count({ where: { workspaceId: 1, state: "live" } })).toBe(5);
  expect(await db.user.count()).toBe(0);
  expect((await contentOf(url)).run_keys).toEqual([]);

  // And the other way round: a version that does not know all of it refuses.
  const newer = fileNamed("newer");
  await backUpStore(url, newer);
  await expect(
    restoreStore(old, newer, { safetyFile: fileNamed("safety"), directory: older }),
  ).rejects.toThrow(/made by a newer Tidemark .*Update Tidemark/);
  await expect(
    restoreStore(url, file, { safetyFile: fileNamed("safety"), directory: older }),
  ).rejects.toThrow(/store in this database was migrated by a newer Tidemark/);
});

it("changes nothing when the archive is damaged, when it is told not to, or when it fails half-way", async () => {
  await fillStore(db);
  const file = fileNamed("good");
  await backUpStore(url, file);
  const [before, epoch] = [await contentOf(url), await epochOf(url)];
  const bytes = await readFile(file);
  for (const at of [0, 100, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const broken = fileNamed("broken");
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    await writeFile(broken, changed);
    const cut = fileNamed("cut");
    await writeFile(cut, bytes.subarray(0, at));
    for (const bad of [broken, cut]) {
      await expect(restoreStore(url, bad, { safetyFile: fileNamed("safety") })).rejects.toThrow(
        /damaged or was cut off|not a Tidemark backup/,
      );
    }
  }
  const safetyFile = fileNamed("refused");
  expect(await restoreStore(url, file, { safetyFile, confirm: async () => false })).toBeNull();

  // Somebody's view stands on a table of ours: found out when everything is under way.
  await queryAt(url, "CREATE VIEW report AS SELECT count(*) AS documents FROM documents");
  await expect(restoreStore(url, file, { safetyFile })).rejects.toThrow(
    /Something of your own depends on Tidemark's tables.*report.*Nothing was changed/s,
  );
  await queryAt(url, "DROP VIEW report");
  expect(await contentOf(url)).toEqual(before);
  expect(await epochOf(url)).toBe(epoch);
});

it("leaves alone what is not Tidemark's", async () => {
  await queryAt(
    url,
    "CREATE TABLE boats (name text); INSERT INTO boats VALUES ('Ebb'); CREATE TYPE hull AS ENUM ('wood')",
  );
  await fillStore(db);
  const file = fileNamed("ours");
  const { header } = await backUpStore(url, file);
  expect(header.tables.map(({ name }) => name)).not.toContain("boats");
  await restoreStore(url, file, { safetyFile: fileNamed("safety") });
  expect(await queryAt(url, "SELECT name FROM boats")).toEqual([{ name: "Ebb" }]);
});

it("does not overwrite what is no backup, and needs a store to back up", async () => {
  const notes = join(scratch.directory, "notes.txt");
  await writeFile(notes, "buy rope");
  await expect(backUpStore(url, notes)).rejects.toThrow("is not a Tidemark backup");
  await expect(backUpStore(url, scratch.directory)).rejects.toThrow("is not a file");
  expect(await readFile(notes, "utf8")).toBe("buy rope");
  await expect(backUpStore(await anEmptyDatabase(), fileNamed("none"))).rejects.toThrow("nothing to back up");
  expect((await readdir(scratch.directory)).filter((name) => name.startsWith("none"))).toEqual([]);
});
