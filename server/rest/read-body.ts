import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";

const unzip = promisify(gunzip);

/**
 * A request's whole body, decoded; never more than the limit in memory, before or after decoding.
 *
 * @param maxBytes Of the decoded body; by default TIDEMARK_MAX_BODY_MIB (8), far above what fifty
 *   documents need.
 * @throws AppError body_too_large, by what is announced, while it comes in or while it is decoded;
 *   unsupported_encoding for anything but gzip; malformed_json for gzip that is none.
 */
export async function readBody(
  request: Request,
  maxBytes = env().TIDEMARK_MAX_BODY_MIB * 1024 * 1024,
): Promise<Buffer> {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const isZipped = encoding === "gzip" || encoding === "x-gzip";
  if (!isZipped && encoding !== "" && encoding !== "identity") {
    throw new AppError(
      "unsupported_encoding",
      "This Content-Encoding is not understood. Send the body as it is, or with gzip.",
    );
  }
  const sent = await readBytes(request, maxBytes);
  return isZipped ? decode(sent, maxBytes) : sent;
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes);
  // Announced and within bounds: node's parser ends the body there, so it can be read in one go. Asking
  // for `request.body` first would make a stream of it, which costs more than the parsing.
  if (announced !== null) return Buffer.from(await request.arrayBuffer());
  if (!request.body) return Buffer.alloc(0);

  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
}

/** Stops at the limit, however much the bytes would become. */
async function decode(sent: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await unzip(sent, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new AppError("malformed_json", "The body is not gzip, although Content-Encoding says so.");
  }
}

/**
 * A request's body as JSON. A byte order mark is forgiven; an empty body is `undefined`.
 *
 * @throws AppError as readBody; malformed_json, also for bytes that are not UTF-8: replacing them would store
 *   something that nobody sent.
 */
export async function readJson(request: Request): Promise<unknown> {
  const body = await readBody(request);
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new AppError("malformed_json", "The body is not UTF-8.");
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const text = body.toString("utf8", hasMark ? 3 : 0);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? explain(error, text) : "";
    throw new AppError("malformed_json", `The body is not JSON. ${reason}`.trim().slice(0, 300));
  }
}

/** V8 quotes the text around the mistake, which helps, unless there is a secret in it, as an address may have. */
function explain({ message }: SyntaxError, text: string): string {
  if (!/credential|password|secret|token|:\/\//i.test(text)) return message;
  return message.replace(/, (?:\.\.\.)?".*is not valid JSON$/s, ", after which it is not valid JSON");
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    "body_too_large",
    `The body is larger than ${maxBytes / 1024 / 1024} MiB. Send less at a time.`,
  );
}
