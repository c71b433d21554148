import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { freePort, isPortTaken } from "./lib/ports.mjs";
import { loadEnvFile, root } from "./lib/project.mjs";
import { readTarget } from "./lib/request-line.mjs";

/**
 * Serves the production build: one process, one port. `up.mjs` runs it under supervision; with a
 * DATABASE_URL, migrations applied and `next build` done it also runs by itself.
 */

/** Ids may be 8 KiB and are percent-encoded in a path; request lines up to 64 KiB must pass. */
const MAX_HEADER_BYTES = 128 * 1024;
/** Longer than a usual proxy's idle time (60 s), so that it is the proxy that closes first. */
const KEEP_ALIVE_MS = 75_000;
/** What a long poll may still take after a stop was asked for is cut off here. */
const SHUTDOWN_LIMIT_MS = 10_000;

let stopping = false;
let note = "";

loadEnvFile();
process.env.NODE_ENV = "production";
const host = process.env.HOST || "127.0.0.1";
const port = await choosePort();
// Read by server/env.ts, and by the pages that show addresses.
process.env.PORT = String(port);
if (process.env.TIDEMARK_DEMO === "1") process.env.TIDEMARK_DEMO_ORIGIN = `http://127.0.0.1:${port}`;

// Not at the top: React and Next choose their production code by NODE_ENV when they are loaded.
const { default: next } = await import("next");
const app = next({
  dev: false,
  dir: root,
  hostname: host,
  port,
  // Next listens for upgrades on the server it is given. With a listener Node answers no request that
  // offers one, and curl --http2 and Java's client offer one (h2c) on every request; without, it ignores
  // the offer, as it must. Nothing here speaks web sockets, so Next gets a server that nobody reaches.
  httpServer: createServer(),
});
await app.prepare();
const handlePage = app.getRequestHandler();
const { getRequestListener } = await import("@hono/node-server");
/** The REST app, once instrumentation.ts has left it (server/rest/serve-directly.ts). */
let handleRest = null;

const server = createServer(
  { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS },
  (request, response) => {
    // Who is really connected: routes that trust this machine more than others must not ask a header.
    setHeader(request, "x-tidemark-peer", request.socket.remoteAddress ?? "");
    if (!/^[\w.:-]{1,100}$/.test(String(request.headers["x-request-id"] ?? ""))) {
      setHeader(request, "x-request-id", randomUUID());
    }
    request.url = readTarget(request.url);
    if (stopping) response.setHeader("connection", "close");
    const isRest = /^\/api\/v1(?:[/?]|$)/.test(request.url) && restListener() !== null;
    // What next.config.mjs sets for the answers that pass through Next.
    if (isRest) {
      response.setHeader("x-content-type-options", "nosniff");
      response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    } else {
      // The REST app says it itself; pages, tRPC, cron and health do not.
      response.setHeader("x-request-id", request.headers["x-request-id"]);
    }
    // Next makes a Request of it, which allows no such method, and fails.
    if (request.method === "TRACE" && !isRest) return response.writeHead(405).end();
    void (isRest ? handleRest : handlePage)(request, response);
  },
);
server.headersTimeout = KEEP_ALIVE_MS + 5_000;

server.once("error", (error) => fail(error.code === "EADDRINUSE" ? takenMessage(port) : error.message));
server.listen(port, host, () => {
  const { port: actual } = server.address();
  const shown = host === "127.0.0.1" || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const url = `http://${shown.includes(":") ? `[${shown}]` : shown}:${actual}`;
  if (note) process.stdout.write(`${note}\n`);
  process.stdout.write(`Tidemark is ready on ${url}\n`);
  process.send?.({ type: "ready", port: actual, url, note });
});

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
process.on("SIGHUP", stop);
// The supervisor is gone, however it died: without it nobody would restart or stop us.
process.on("disconnect", stop);

function restListener() {
  if (!handleRest && globalThis.__tidemarkRest) {
    handleRest = getRequestListener(globalThis.__tidemarkRest, {
      overrideGlobalObjects: false,
      hostname: host,
    });
  }
  return handleRest;
}

async function stop() {
  if (stopping) return;
  stopping = true;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Those that answer now are idle a moment later: browsers would keep theirs for minutes.
  const closing = setInterval(() => server.closeIdleConnections(), 100);
  const cutOff = setTimeout(() => server.closeAllConnections(), SHUTDOWN_LIMIT_MS);
  // What instrumentation.ts left here: stops the scheduler, waits for its runs.
  const hooks = [...(globalThis.__tidemarkShutdown ?? [])].map((hook) => hook());
  const bound = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_LIMIT_MS + 2_000));
  await Promise.race([Promise.allSettled([closed, ...hooks]), bound]);
  clearTimeout(cutOff);
  clearInterval(closing);
  process.exit(0);
}

/** Next reads the one, the REST listener the other. */
function setHeader(request, name, value) {
  request.headers[name] = value;
  const raw = request.rawHeaders;
  for (let at = raw.length - 2; at >= 0; at -= 2) {
    if (raw[at].toLowerCase() === name) raw.splice(at, 2);
  }
  raw.push(name, value);
}

/** PORT when it is set, else 3000 or the next free one. */
async function choosePort() {
  if (process.env.PORT === "0") return freePort();
  if (process.env.PORT) {
    const wanted = Number(process.env.PORT);
    if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
      fail(`PORT is ${process.env.PORT}: not a port.`);
    if (await isPortTaken(wanted)) fail(takenMessage(wanted));
    return wanted;
  }
  for (let candidate = 3000; candidate < 3100; candidate++) {
    if (await isPortTaken(candidate)) continue;
    if (candidate !== 3000) note = `Port 3000 is taken by another program; using ${candidate}.`;
    return candidate;
  }
  return fail("Ports 3000 to 3099 are all taken; set PORT to a free one.");
}

function takenMessage(taken) {
  return `Port ${taken} is taken by another program. Stop it, or set PORT to another one.`;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.send?.({ type: "failed", message });
  process.exit(1);
}
