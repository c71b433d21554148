import { UpstreamError } from "../adapter.ts";

/**
 * The whole body, decoded.
 *
 * @throws UpstreamError too_large; the rest is not read.
 */
export async function readBounded(response: Response, maxBytes: number, host: string): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(0);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      const message = `${host} sent more than ${Math.round(maxBytes / 1024 / 1024)} MiB, the most that is read of one address.`;
      throw new UpstreamError("too_large", message, { retryable: false });
    }
    pieces.push(value);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    body.set(piece, offset);
    offset += piece.byteLength;
  }
  return body;
}
