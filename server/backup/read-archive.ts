import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import type { z } from "zod";
import { type ArchiveBytes, createArchiveBytes } from "./archive-bytes";
import {
  type ArchivedTable,
  type ArchiveHeader,
  countRows,
  endSchema,
  FORMAT,
  FORMAT_VERSION,
  headerSchema,
  TRAILER_BYTES,
  TRAILER_MAGIC,
  tableSumSchema,
} from "./archive-format";
import { BackupError } from "./backup-error";

export type ArchiveVisitor = {
  /** Before the first table. */
  header(header: ArchiveHeader): Promise<void>;
  /** Must read `rows` to their end; they fail where the table's sums do not agree. */
  table(table: ArchivedTable, rows: AsyncIterable<Buffer>): Promise<void>;
};

/**
 * Reads an archive from its beginning to its end, in the memory of a few chunks.
 *
 * What a visitor was given is proven only when this returns: a caller that changes something by it
 * either reads everything once before (verifyArchive), or can still roll back.
 *
 * @throws BackupError when it is no archive, of a newer format, cut off, or changed in any byte.
 */
export async function readArchive(file: string, visitor: ArchiveVisitor): Promise<void> {
  const { end, digest } = await readTrailer(file);
  const hash = createHash("sha256");
  const tap = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    createReadStream(file, { end: end - 1 }),
    tap,
    createGunzip(),
    async (chunks: AsyncIterable<Buffer>) => visitAll(createArchiveBytes(chunks), visitor),
  ).catch((error: unknown) => {
    throw isZlibError(error) ? damaged({ cause: error }) : error;
  });
  if (!hash.digest().equals(digest)) throw damaged();
}

/**
 * Reads everything and keeps nothing.
 *
 * @returns the header of a whole archive.
 * @throws BackupError as readArchive does.
 */
export async function verifyArchive(file: string): Promise<ArchiveHeader> {
  let found: ArchiveHeader | null = null;
  await readArchive(file, {
    async header(header) {
      found = header;
    },
    async table(_table, rows) {
      for await (const _ of rows);
    },
  });
  if (!found) throw damaged();
  return found;
}

async function visitAll(bytes: ArchiveBytes, visitor: ArchiveVisitor): Promise<void> {
  const header = readHeader(await bytes.line());
  await visitor.header(header);
  for (const table of header.tables) {
    const rows = checkedRows(bytes, table);
    await visitor.table(table, rows);
    if (!(await rows.next()).done) throw new Error(`the rows of ${table.name} were not read to their end`);
  }
  const end = parse(endSchema, await bytes.line());
  if (end.tables !== header.tables.length || !(await bytes.isOver())) throw damaged();
}

async function* checkedRows(bytes: ArchiveBytes, table: ArchivedTable): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const found = { rows: 0, bytes: 0 };
  for await (const chunk of bytes.rows()) {
    hash.update(chunk);
    found.rows += countRows(chunk);
    found.bytes += chunk.length;
    yield chunk;
  }
  const sum = parse(tableSumSchema, await bytes.line());
  const agrees =
    sum.table === table.name &&
    sum.rows === found.rows &&
    sum.rows === table.rows &&
    sum.bytes === found.bytes &&
    sum.sha256 === hash.digest("hex");
  if (!agrees) throw damaged();
}

function readHeader(text: string): ArchiveHeader {
  const value: unknown = parseJson(text);
  const version = value && typeof value === "object" && "formatVersion" in value ? value.formatVersion : null;
  if (typeof version === "number" && version > FORMAT_VERSION) {
    throw new BackupError(
      `This backup has format ${version}; this Tidemark reads up to ${FORMAT_VERSION}. Update Tidemark, then restore it.`,
    );
  }
  return parse(headerSchema, text);
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw damaged({ cause: parsed.error });
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged({ cause: error });
  }
}

async function readTrailer(file: string): Promise<{ end: number; digest: Buffer }> {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new BackupError(`There is no file ${file}.`);
    throw new BackupError(`${file} cannot be read: ${error.message}.`, { cause: error });
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new BackupError(`${file} is not a file.`);
    const end = stat.size - TRAILER_BYTES;
    const trailer = end > 0 ? await readAt(handle, end, TRAILER_BYTES) : Buffer.alloc(0);
    if (!trailer.subarray(0, TRAILER_MAGIC.length).equals(TRAILER_MAGIC)) {
      throw (await beginsLikeOne(file)) ? damaged() : new BackupError(`${file} is not a Tidemark backup.`);
    }
    return { end, digest: trailer.subarray(TRAILER_MAGIC.length) };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Does the file begin with our header? Tells a backup that was cut off from something else. */
export async function beginsLikeOne(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    // Shorter than any archive, and enough for the compressor's tables and our first words.
    const begin = await readAt(handle, 0, 192);
    // Flushed, not finished: this is not the whole.
    const content = gunzipSync(begin, { finishFlush: constants.Z_SYNC_FLUSH });
    return content.toString().startsWith(`{"format":"${FORMAT}"`);
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_|^ERR_.*ZLIB/.test(String(error.code));
}

function damaged(options?: ErrorOptions): BackupError {
  return new BackupError(
    "This backup is damaged or was cut off, so nothing was restored from it. Use another copy of it, or another backup.",
    options,
  );
}
