import { randomBytes } from "node:crypto";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createArchiveBytes } from "./archive-bytes";
import { type ArchiveHeader, FORMAT, TRAILER_BYTES } from "./archive-format";
import { readArchive, verifyArchive } from "./read-archive";
import { writeArchive } from "./write-archive";

let directory: string;
let file: string;
let whole: Buffer;

const HEADER: ArchiveHeader = {
  format: FORMAT,
  formatVersion: 1,
  appVersion: "0.1.0",
  createdAt: "2026-06-14T09:00:00.000Z",
  postgres: "18.1",
  epoch: "e",
  migrations: [{ name: "1_core", checksum: "c" }],
  sequences: [{ name: "document_seq", lastValue: "7" }],
  tables: [
    { name: "feeds", columns: ["id"], rows: 2 },
    { name: "empty", columns: ["id"], rows: 0 },
    { name: "documents", columns: ["id", "text"], rows: 3 },
  ],
};
// The last row's text is what stands for the end of rows, escaped as COPY does it.
const ROWS: Record<string, string> = {
  feeds: "a\nb\n",
  empty: "",
  documents: "1\t\\N\n2\tlow\\nwater\n3\t\\\\.\n",
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-archive-"));
  file = join(directory, "whole.backup");
  await write(file);
  whole = await readFile(file);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function write(to: string, rows = ROWS, header = HEADER) {
  return writeArchive(to, header, ({ name }) => chunked(rows[name] ?? "", 3));
}

async function* chunked(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(from: string) {
  const found: Record<string, string> = {};
  await readArchive(from, {
    async header() {},
    async table({ name }, rows) {
      found[name] = "";
      for await (const chunk of rows) found[name] += chunk.toString();
    },
  });
  return found;
}

it("gives back what was written, and shows it to ordinary tools", async () => {
  expect(await verifyArchive(file)).toEqual(HEADER);
  expect(await read(file)).toEqual(ROWS);
  expect(gunzipSync(whole.subarray(0, -TRAILER_BYTES)).toString()).toContain(
    "2\tlow\\nwater\n3\t\\\\.\n\\.\n",
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("finds the end of rows wherever a chunk ends", async () => {
  const content = `first\n${ROWS.documents}\\.\nlast\n`;
  for (let size = 1; size <= content.length; size += 1) {
    const bytes = createArchiveBytes(chunked(content, size));
    expect(await bytes.line()).toBe("first");
    let rows = "";
    for await (const chunk of bytes.rows()) rows += chunk.toString();
    expect(rows, `chunks of ${size}`).toBe(ROWS.documents);
    expect(await bytes.line()).toBe("last");
    expect(await bytes.isOver()).toBe(true);
  }
});

describe("refuses", () => {
  const copyFile = () => join(directory, `${randomBytes(4).toString("hex")}.backup`);

  it("an archive that was cut off, at any byte", async () => {
    const cut = copyFile();
    await writeFile(cut, whole);
    for (let length = whole.length - 1; length >= 0; length -= 1) {
      await truncate(cut, length);
      await expect(verifyArchive(cut), `${length} bytes`).rejects.toThrow(
        /damaged or was cut off|is not a Tidemark backup/,
      );
    }
  });

  it("an archive of which one byte was changed, any byte", async () => {
    const changed = copyFile();
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(changed, bytes);
      await expect(verifyArchive(changed), `byte ${at}`).rejects.toThrow(
        /damaged or was cut off|is not a Tidemark backup/,
      );
    }
  });

  it("an archive to which something was added", async () => {
    const longer = copyFile();
    await writeFile(longer, whole);
    await appendFile(longer, "x");
    await expect(verifyArchive(longer)).rejects.toThrow("damaged");
  });

  it("what is no backup, with the file's name", async () => {
    for (const content of [Buffer.alloc(0), Buffer.from("PGDMP"), gzipSync("notes"), randomBytes(500)]) {
      const other = copyFile();
      await writeFile(other, content);
      await expect(verifyArchive(other)).rejects.toThrow(`${other} is not a Tidemark backup.`);
    }
    await expect(verifyArchive(join(directory, "none"))).rejects.toThrow("There is no file");
    await expect(verifyArchive(directory)).rejects.toThrow("is not a file");
  });

  it("a newer format, and says what to do", async () => {
    const newer = copyFile();
    await write(newer, ROWS, { ...HEADER, formatVersion: 2 });
    await expect(verifyArchive(newer)).rejects.toThrow(/format 2.*Update Tidemark/);
  });
});

it("leaves the old file alone when the new one cannot be finished, and nothing beside it", async () => {
  const kept = join(directory, "kept.backup");
  await writeFile(kept, whole);
  await expect(write(kept, { ...ROWS, documents: "1\tx\n" })).rejects.toThrow(
    "documents gave 1 rows instead of 3",
  );
  const failing = () =>
    Readable.from([Buffer.from("a\n")]).map(() => Promise.reject(new Error("connection lost")));
  await expect(writeArchive(kept, HEADER, failing)).rejects.toThrow("connection lost");
  expect(await readFile(kept)).toEqual(whole);
  expect((await readdir(directory)).filter((name) => name.startsWith("kept"))).toEqual(["kept.backup"]);
});

it("clears away what a killed process left of the same file", async () => {
  const target = join(directory, "again.backup");
  await writeFile(`${target}.4194305.partial`, "half"); // above every process id
  await writeFile(`${target}.${process.ppid}.partial`, "of somebody who is at it");
  await write(target);
  const left = (await readdir(directory)).filter((name) => name.startsWith("again.backup"));
  expect(left.sort()).toEqual(["again.backup", `again.backup.${process.ppid}.partial`].sort());
});
