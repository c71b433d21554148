import { randomBytes } from "node:crypto";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { asAdmin } from "@/test/clone-template";
import { applyMigrations } from "./apply-migrations";

let directory: string;
let url: string;
let client: pg.Client;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-migrations-"));
  const name = `m_${randomBytes(8).toString("hex")}`;
  await asAdmin(inject("adminUrl"), (admin) => admin.query(`CREATE DATABASE ${name}`));
  const parsed = new URL(inject("adminUrl"));
  parsed.pathname = `/${name}`;
  url = parsed.href;
  client = new pg.Client({ connectionString: url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  const name = new URL(url).pathname.slice(1);
  await asAdmin(inject("adminUrl"), (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
  await rm(directory, { recursive: true, force: true });
});

it("applies what is missing, oldest first, and nothing twice", async () => {
  await addMigration("2_add", "ALTER TABLE boats ADD COLUMN length int");
  await addMigration("1_create", "CREATE TABLE boats (name text)");
  await expect(applyMigrations(url, directory)).resolves.toEqual(["1_create", "2_add"]);

  await addMigration("3_fill", "INSERT INTO boats VALUES ('Ebb', 7)");
  await expect(applyMigrations(url, directory)).resolves.toEqual(["3_fill"]);
  await expect(applyMigrations(url, directory)).resolves.toEqual([]);
  await expect(rows("SELECT * FROM boats")).resolves.toEqual([{ name: "Ebb", length: 7 }]);
});

it("applies a migration once when several processes start together", async () => {
  await addMigration("1_create", "CREATE TABLE boats (name text)");
  await addMigration("2_fill", "INSERT INTO boats VALUES ('Ebb')");

  const applied = await Promise.all(Array.from({ length: 6 }, () => applyMigrations(url, directory)));

  expect(applied.flat().sort()).toEqual(["1_create", "2_fill"]);
  await expect(rows("SELECT name FROM boats")).resolves.toEqual([{ name: "Ebb" }]);
});

it("rolls a failing migration back whole, keeps the ones before it and goes on once it is repaired", async () => {
  await addMigration("1_create", "CREATE TABLE boats (name text)");
  await addMigration("2_broken", "INSERT INTO boats VALUES ('Ebb'); SELECT 1 / 0");
  await expect(applyMigrations(url, directory)).rejects.toThrow(
    /2_broken failed and was rolled back.*division by zero/,
  );
  await expect(rows("SELECT * FROM boats")).resolves.toEqual([]);

  await addMigration("2_broken", "INSERT INTO boats VALUES ('Flood')");
  await expect(applyMigrations(url, directory)).resolves.toEqual(["2_broken"]);
  await expect(rows("SELECT name FROM boats")).resolves.toEqual([{ name: "Flood" }]);
});

it("lets a backup be made first, once, and changes nothing when that fails", async () => {
  const calls: (readonly string[])[] = [];
  const beforeApplying = async (pending: readonly string[]) => {
    calls.push(pending);
  };
  await addMigration("1_create", "CREATE TABLE boats (name text)");
  await applyMigrations(url, directory, { beforeApplying });
  expect(calls, "there was nothing to back up").toEqual([]);
  await applyMigrations(url, directory, { beforeApplying });
  expect(calls, "there is nothing to apply").toEqual([]);

  await addMigration("2_add", "ALTER TABLE boats ADD COLUMN length int");
  await addMigration("3_fill", "INSERT INTO boats VALUES ('Ebb', 7)");
  const full = () => Promise.reject(new Error("The disk is full."));
  await expect(applyMigrations(url, directory, { beforeApplying: full })).rejects.toThrow(
    "The disk is full.",
  );
  await expect(rows("SELECT * FROM boats")).resolves.toEqual([]);
  await expect(applyMigrations(url, directory, { beforeApplying })).resolves.toEqual(["2_add", "3_fill"]);
  expect(calls).toEqual([["2_add", "3_fill"]]);
});

it("refuses a database that a newer version migrated, and says what to do", async () => {
  await addMigration("1_create", "CREATE TABLE boats (name text)");
  await addMigration("9_future", "CREATE TABLE ships (name text)");
  await applyMigrations(url, directory);
  await rm(join(directory, "9_future"), { recursive: true });
  await addMigration("2_mine", "CREATE TABLE rafts (name text)");

  await expect(applyMigrations(url, directory)).rejects.toThrow(/newer Tidemark.*9_future.*git pull/s);
  await expect(rows("SELECT to_regclass('rafts') AS rafts")).resolves.toEqual([{ rafts: null }]);
});

it("refuses a migration that was edited after it was applied", async () => {
  await addMigration("1_create", "CREATE TABLE boats (name text)");
  await applyMigrations(url, directory);
  await appendFile(join(directory, "1_create/migration.sql"), "\n-- a harmless comment");

  await expect(applyMigrations(url, directory)).rejects.toThrow(/1_create.*was edited after it was applied/);
});

it("records what it applied as Prisma's own command would", async () => {
  const sql = "CREATE TABLE boats (name text)";
  await addMigration("1_create", sql);
  await applyMigrations(url, directory);
  // Prisma looks at these columns, and expects SHA-256 over the file.
  await expect(
    rows(`SELECT migration_name, applied_steps_count, finished_at IS NOT NULL AS finished, rolled_back_at,
                 checksum = encode(sha256('${sql}'), 'hex') AS same FROM "_prisma_migrations"`),
  ).resolves.toEqual([
    { migration_name: "1_create", applied_steps_count: 1, finished: true, rolled_back_at: null, same: true },
  ]);
});

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, name, "migration.sql"), sql);
}

async function rows(sql: string): Promise<unknown[]> {
  return (await client.query(sql)).rows;
}
