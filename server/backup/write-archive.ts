import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import {
  type ArchivedTable,
  type ArchiveHeader,
  countRows,
  FORMAT,
  type TableSum,
  TRAILER_BYTES,
  TRAILER_MAGIC,
} from "./archive-format";
import { BackupError } from "./backup-error";

/** Level 3 takes a third of level 6's time for a few per cent more bytes. */
const GZIP_LEVEL = 3;

/**
 * Writes an archive, whole or not at all: it is written aside, made durable, and renamed into place.
 *
 * @param rowsOf a table's rows as `COPY … TO STDOUT` (text) gives them. Never more than one at a time.
 * @returns its size in bytes.
 * @throws BackupError when a table has another number of rows than the header says.
 */
export async function writeArchive(
  file: string,
  header: ArchiveHeader,
  rowsOf: (table: ArchivedTable) => AsyncIterable<Buffer>,
): Promise<number> {
  await removeLeftovers(file);
  const aside = `${file}.${process.pid}.partial`;
  // It holds password hashes and everybody's documents.
  const handle = await open(aside, "wx", 0o600);
  try {
    const bytes = await writeTo(handle, payload(header, rowsOf));
    await handle.sync();
    await handle.close();
    await rename(aside, file);
    await syncDirectory(dirname(file));
    return bytes;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(aside, { force: true });
    throw error;
  }
}

async function* payload(
  header: ArchiveHeader,
  rowsOf: (table: ArchivedTable) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield line(header);
  for (const table of header.tables) {
    const hash = createHash("sha256");
    const sum = { rows: 0, bytes: 0 };
    for await (const chunk of rowsOf(table)) {
      hash.update(chunk);
      sum.rows += countRows(chunk);
      sum.bytes += chunk.length;
      yield chunk;
    }
    if (sum.rows !== table.rows) {
      throw new BackupError(`${table.name} gave ${sum.rows} rows instead of ${table.rows}. Try again.`);
    }
    yield Buffer.from("\\.\n");
    yield line({ table: table.name, ...sum, sha256: hash.digest("hex") } satisfies TableSum);
  }
  yield line({ end: FORMAT, tables: header.tables.length });
}

function line(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

async function writeTo(handle: FileHandle, chunks: AsyncIterable<Buffer>): Promise<number> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    Readable.from(chunks, { objectMode: false }),
    createGzip({ level: GZIP_LEVEL }),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) {
        hash.update(chunk);
        bytes += chunk.length;
        await handle.appendFile(chunk);
      }
    },
  );
  await handle.appendFile(Buffer.concat([TRAILER_MAGIC, hash.digest()]));
  return bytes + TRAILER_BYTES;
}

/** The rename must survive a power cut too. Windows cannot open directories, and needs no such thing. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}

/** Of processes that were killed while they wrote the same file. */
async function removeLeftovers(file: string): Promise<void> {
  const directory = dirname(file);
  for (const name of await readdir(directory)) {
    const pid = name.startsWith(`${basename(file)}.`) ? /\.(\d+)\.partial$/.exec(name)?.[1] : undefined;
    if (pid && !isAlive(Number(pid))) await rm(join(directory, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
