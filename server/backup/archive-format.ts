import { z } from "zod";

/**
 * A backup is one file:
 *
 *   gzip of   a line of JSON, the header
 *             for each table: its rows as COPY writes them (text), a line `\.`, a line of JSON that sums up
 *             a line of JSON, the end
 *   40 bytes  TRAILER_MAGIC and the SHA-256 of everything before it
 *
 * The digest finds every changed byte and every cut before anything is touched; the sums find what went
 * wrong before the digest was made. COPY's text escapes its own line ends, so `\.` cannot be data, and
 * `gunzip < FILE` shows a store to people who have nothing but ordinary tools.
 */
export const FORMAT = "tidemark-backup";
export const FORMAT_VERSION = 1;
export const TRAILER_MAGIC = Buffer.from("TDMKSHA2");
export const DIGEST_BYTES = 32;
export const TRAILER_BYTES = TRAILER_MAGIC.length + DIGEST_BYTES;
export const END_OF_ROWS = Buffer.from("\n\\.\n");

const columnName = z.string().min(1).max(63);

/** One table. Its place in the list is its place in the file: what others refer to comes before them. */
const archivedTable = z.object({
  name: columnName,
  columns: z.array(columnName).min(1),
  rows: z.int().min(0),
});
export type ArchivedTable = z.infer<typeof archivedTable>;

export const headerSchema = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.int(),
  /** Of the Tidemark that made it. */
  appVersion: z.string(),
  createdAt: z.iso.datetime(),
  /** Of the server it was read from, as that says it. */
  postgres: z.string(),
  /** Of the change log; a restore begins another. */
  epoch: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Last number each gave out, as text: 64 bits. */
  sequences: z.array(z.object({ name: columnName, lastValue: z.string().regex(/^\d{1,19}$/) })),
  tables: z.array(archivedTable),
});
export type ArchiveHeader = z.infer<typeof headerSchema>;

export const tableSumSchema = z.object({
  table: columnName,
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string(),
});
export type TableSum = z.infer<typeof tableSumSchema>;

export const endSchema = z.object({ end: z.literal(FORMAT), tables: z.int() });

/** Counts and hashes a table's rows as they pass by, at both ends. */
export function countRows(chunk: Uint8Array): number {
  let rows = 0;
  for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) rows += 1;
  return rows;
}
