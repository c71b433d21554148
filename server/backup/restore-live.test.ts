import { beforeEach, expect, it, vi } from "vitest";
import { createDb, type Db } from "@/server/db";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { findOtherMajor, startOtherPostgres } from "@/test/other-postgres";
import { useScratch } from "@/test/scratch-databases";
import { contentOf, fillStore, queryAt } from "@/test/whole-store";
import { backUpStore } from "./back-up-store";
import { restoreStore } from "./restore-store";

const { aStore, anEmptyDatabase, fileNamed } = useScratch();
// Whole stores are copied and read to the last row, some several times.
vi.setConfig({ testTimeout: 120_000 });
let url: string;
let db: Db;

beforeEach(async () => {
  url = await aStore();
  db = createDb(url, 4);
  return () => db.$disconnect();
});

it("is one moment of a store that goes on", async () => {
  const { caller, feedId } = await fillStore(db);
  let written = 0;
  let stop = false;
  const writer = (async () => {
    while (!stop) {
      const documents = [{ id: `w${written}a` }, { id: `w${written}b` }];
      await ingestDocuments(db, caller, { feedId, documents: documents as never });
      written += 1;
    }
  })();
  const files = [];
  for (let n = 0; n < 5; n += 1) {
    const file = fileNamed("moment");
    await backUpStore(url, file);
    files.push(file);
  }
  stop = true;
  await writer;
  expect(written).toBeGreaterThan(5);
  const target = await anEmptyDatabase();
  for (const file of files) {
    await restoreStore(target, file, { safetyFile: fileNamed("safety") });
    const [row] = await queryAt<{ documents: number; counted: number; next: boolean }>(
      target,
      `SELECT (SELECT count(*)::int FROM documents WHERE state = 'live') AS documents,
              (SELECT document_count FROM feeds) AS counted,
              (SELECT max(seq) FROM documents) <= (SELECT last_value FROM document_seq) AS next`,
    );
    expect(row?.documents).toBe(row?.counted);
    expect(row?.next).toBe(true);
  }
});

it("loses nothing that was written before the store is replaced: it is there, or in the backup made first", async () => {
  const { caller, feedId } = await fillStore(db);
  const file = fileNamed("before");
  await backUpStore(url, file);
  const stored: string[] = [];
  let stop = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !stop; n += 1) {
      const id = `w${writer}-${n}`;
      try {
        await ingestDocuments(db, caller, { feedId, documents: [{ id }] as never });
        stored.push(id);
      } catch (error) {
        // Disconnected, and told so: what became of this one nobody promised.
        expect(error).toMatchObject({ code: "unavailable" });
      }
    }
  });
  const restored = await restoreStore(url, file, { safetyFile: fileNamed("safety") });
  stop = true;
  await Promise.all(writers);
  const before = await anEmptyDatabase();
  await restoreStore(before, restored?.safety?.file ?? "", { safetyFile: fileNamed("unused") });
  const ids = async (at: string) =>
    (await queryAt<{ id: string }>(at, "SELECT external_id AS id FROM documents")).map(({ id }) => id);
  const there = new Set([...(await ids(url)), ...(await ids(before))]);
  expect(stored.length).toBeGreaterThan(5);
  expect(stored.filter((id) => !there.has(id))).toEqual([]);
});

it("goes from one major version of PostgreSQL to another and back, row for row", async ({ skip }) => {
  const major = findOtherMajor();
  if (major === null) {
    skip(
      "no other PostgreSQL is installed here (Debian: apt install postgresql), so majors cannot be crossed",
    );
    return;
  }
  await fillStore(db);
  const before = await contentOf(url);
  const other = await startOtherPostgres(major);
  try {
    const [there, back] = [fileNamed("there"), fileNamed("back")];
    expect((await backUpStore(url, there)).header.postgres).toMatch(/^18/);
    await restoreStore(other.url, there, { safetyFile: fileNamed("unused") });
    expect(await contentOf(other.url)).toEqual(before);
    expect((await backUpStore(other.url, back)).header.postgres).toMatch(new RegExp(`^${major}`));
    await restoreStore(url, back, { safetyFile: fileNamed("safety") });
    expect(await contentOf(url)).toEqual(before);
  } finally {
    await other.stop();
  }
});
