import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { createGuardedFetch } from "./http";
import { LOOPBACK, startUpstream } from "./testing/upstream";

const MIB = 1 << 20;

/** `total` zero bytes, compressed as they are asked for. */
async function compressZeros(kind: "gzip" | "br", total: number): Promise<Buffer> {
  const stream =
    kind === "gzip"
      ? createGzip({ level: 9 })
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const block = Buffer.alloc(4 * MIB);
  for (let written = 0; written < total; written += block.length) {
    if (!stream.write(block)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "end");
  return Buffer.concat(chunks);
}

it.each(["gzip", "br"] as const)(
  "F25: stops a %s body that inflates without end at the cap, in flat memory",
  async (kind) => {
    const bomb = await compressZeros(kind, 512 * MIB);
    const upstream = await startUpstream((_, res) => {
      res.writeHead(200, { "content-encoding": kind });
      // Four times over: two gigabytes, and never an end.
      for (let i = 0; i < (kind === "gzip" ? 4 : 1); i++) res.write(bomb);
    });
    const fetch = createGuardedFetch({ allowPrivateNetworks: LOOPBACK, maxBytes: 20 * MIB });
    const before = process.memoryUsage().rss;

    const error = await fetch(upstream.origin).catch((e) => e);

    expect(error).toMatchObject({ code: "too_large" });
    expect(error.message).toContain("20 MiB");
    expect(process.memoryUsage().rss - before).toBeLessThan(160 * MIB);
  },
);

it("F25: stops an endless body of one byte at a time at the total limit", async () => {
  const upstream = await startUpstream((_, res) => {
    const timer = setInterval(() => res.write("x"), 10);
    res.on("close", () => clearInterval(timer));
  });
  const fetch = createGuardedFetch({ allowPrivateNetworks: LOOPBACK, timeouts: { totalMs: 300 } });
  const started = performance.now();

  const error = await fetch(upstream.origin).catch((e) => e);

  expect(error).toMatchObject({ code: "too_slow", message: expect.stringContaining("did not finish") });
  expect(performance.now() - started).toBeLessThan(3000);
});

it("F25: counts received bytes too, so that a body that inflates to nothing ends", async () => {
  const emptyMember = Buffer.from("1f8b08000000000000030300000000000000000000", "hex").subarray(0, 20);
  const upstream = await startUpstream((_, res) => {
    res.writeHead(200, { "content-encoding": "gzip" });
    const block = Buffer.concat(Array.from({ length: 4096 }, () => emptyMember));
    const pump = () => {
      while (!res.destroyed && res.write(block));
    };
    res.on("drain", pump);
    pump();
  });
  const fetch = createGuardedFetch({ allowPrivateNetworks: LOOPBACK, maxBytes: MIB });

  await expect(fetch(upstream.origin)).rejects.toMatchObject({ code: "too_large" });
});

it("does not let a request raise the cap, only lower it", async () => {
  const upstream = await startUpstream((_, res) => res.end(Buffer.alloc(1000)));
  const fetch = createGuardedFetch({ allowPrivateNetworks: LOOPBACK, maxBytes: 500 });

  await expect(fetch(upstream.origin, { maxBytes: 5000 })).rejects.toMatchObject({ code: "too_large" });
  await expect(fetch(upstream.origin, { maxBytes: 100 })).rejects.toMatchObject({ code: "too_large" });
});

it("gives up on a server that accepts and says nothing", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const sockets = new Set<{ destroy(): void }>();
  silent.on("connection", (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const fetch = createGuardedFetch({ allowPrivateNetworks: LOOPBACK, timeouts: { firstByteMs: 200 } });

  const error = await fetch(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`).catch((e) => e);

  expect(error).toMatchObject({
    code: "too_slow",
    message: expect.stringContaining("no answer within 200 ms"),
  });
});

it("gives up on a connection that is never accepted", async () => {
  // A look-up that never answers stands for packets that never come back.
  const fetch = createGuardedFetch({
    allowPrivateNetworks: LOOPBACK,
    timeouts: { connectMs: 200 },
    resolve: () => new Promise(() => {}),
  });

  await expect(fetch("http://void.example/")).rejects.toMatchObject({ code: "too_slow" });
});

it("spends one time budget on a whole chain of redirects", async () => {
  const upstream = await startUpstream((req, res) => {
    setTimeout(() => res.writeHead(302, { location: `/${Number(req.url?.slice(1)) + 1}` }).end(), 120);
  });
  const fetch = createGuardedFetch({ allowPrivateNetworks: LOOPBACK, timeouts: { totalMs: 300 } });

  await expect(fetch(`${upstream.origin}/0`)).rejects.toMatchObject({ code: "too_slow" });
});
