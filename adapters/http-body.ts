import { Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";

/** More came out than the caller allows. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** The compressed stream is broken or ended early. */
export class BodyUndecodable extends Error {
  override readonly name = "BodyUndecodable";
}

/** Nobody compresses more often; a longer list is an attack on memory. */
const MAX_CODINGS = 3;

/**
 * Reads a response body, undoing its Content-Encoding, in memory bounded by `maxBytes`.
 *
 * Unknown codings (`aws-chunked`) and bodies that are not what the header says are read as they
 * are: the bytes after this decide whether they make sense.
 *
 * @param maxBytes Cap on the decoded bytes, and on the received ones: a stream that decodes to
 *   nothing must end too.
 * @param onBytes Told of every received chunk's size.
 * @throws BodyTooLarge, BodyUndecodable, or the stream's own error. The stream is destroyed then.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  maxBytes: number,
  onBytes: (count: number) => void,
): Promise<Uint8Array> {
  const received = countBytes(body, maxBytes, onBytes);
  const first = await received.next();
  if (first.done) return new Uint8Array(0); // 304, HEAD: nothing to decode, whatever the header says

  const decoders = createDecoders(contentEncoding, first.value);
  const source = Readable.from(prepend(first.value, received), { objectMode: false });
  let output: Readable = source;
  for (const decoder of decoders) {
    const input = output;
    input.on("error", (error) => decoder.destroy(error));
    output = input.pipe(decoder);
  }

  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const chunk of output as AsyncIterable<Uint8Array>) {
      total += chunk.length;
      if (total > maxBytes) throw new BodyTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw isZlibError(error) ? new BodyUndecodable("broken compression", { cause: error }) : error;
  } finally {
    // Stops the download and the inflater, wherever they are.
    for (const stream of [body, source, ...decoders]) stream.on("error", ignore).destroy();
  }
  return Buffer.concat(chunks, total);
}

async function* countBytes(body: Readable, maxBytes: number, onBytes: (count: number) => void) {
  let total = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    total += chunk.length;
    onBytes(chunk.length);
    if (total > maxBytes) throw new BodyTooLarge();
    yield chunk;
  }
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>) {
  yield first;
  yield* rest;
}

/** Decoders in the order in which they must run: the last coding applied comes off first. */
function createDecoders(contentEncoding: string | undefined, firstBytes: Uint8Array): Transform[] {
  const codings = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity")
    .reverse();
  if (codings.length > MAX_CODINGS) return [];
  const decoders: Transform[] = [];
  for (const coding of codings) {
    // Only the outermost coding shows its first bytes.
    const decoder = createDecoder(coding, decoders.length === 0 ? firstBytes : undefined);
    if (decoder) decoders.push(decoder);
  }
  return decoders;
}

function createDecoder(coding: string, firstBytes: Uint8Array | undefined): Transform | null {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      // Servers label plain bodies as gzip; the magic number does not lie.
      return firstBytes && firstBytes[0] !== 0x1f ? null : zlib.createGunzip();
    case "deflate":
      // Meant is zlib; half the servers send raw deflate. zlib's first byte has 8 in its low nibble.
      return firstBytes && ((firstBytes[0] ?? 0) & 0x0f) !== 8
        ? zlib.createInflateRaw()
        : zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    case "zstd":
      return createZstd();
    default:
      return null;
  }
}

/** Node knows zstd from 22.15 on; we never ask for it, some servers send it anyway. */
function createZstd(): Transform | null {
  const create = (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress;
  return create ? create() : null;
}

function isZlibError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  return /^(?:Z_|ERR__ERROR|ERR_BROTLI|ERR_PADDING|BROTLI|ZSTD)/.test(code);
}

function ignore(): void {}
