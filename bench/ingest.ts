import { cpus } from "node:os";
import { Client } from "undici";
import { createToken } from "@/server/access/tokens";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { type CpuTimes, cpuBetween, readCpuTimes } from "./cpu-time";
import { BATCH, type BenchDocument, makeBatch, makeBody } from "./documents";
import { createFloor } from "./floor";
import { createInstallation } from "./installation";
import { type Measurement, measure } from "./measure";
import { startPouchdb, toBulkDocs } from "./pouchdb";
import { createStore } from "./store";

/**
 * `npm run bench -- ingest`: documents a second by each way of storing them, all in one run on one machine,
 * in interleaved rounds so that a slow moment of the machine meets all of them. The HTTP clients run in
 * this process and share the cores with the server and PostgreSQL, as everything here does.
 */
const CLIENTS = 8;
const ROUNDS = 3;
const PHASE_MS = 3_000;
/** Prepared per phase: more than it can use up. */
const FLOOR_BATCHES = 1_500;
const HTTP_BATCHES = 900;
/** Design §14. */
const TARGETS = { floor: 0.6, peer: 1.5 };
const WARM_MS = 1_000;

const installation = await createInstallation();
try {
  await bench();
} finally {
  await installation.end();
}

async function bench(): Promise<void> {
  const { databaseUrl } = installation;
  const keys = Array.from({ length: 2 * CLIENTS }, (_, index) => `client-${index}`);
  // A feed per client: a feed takes one call at a time, by design.
  const { db, caller, feedIds } = await createStore(databaseUrl, 12, keys);
  const { token } = await createToken(db, caller, { name: "bench", scopes: ["documents:write"] });
  const server = await installation.startServer();
  const floor = await createFloor(databaseUrl, CLIENTS);
  const peer = await startPouchdb(installation.directory, CLIENTS);
  const connections = Array.from({ length: CLIENTS }, () => new Client(server.url));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

  const storeDirectly = async (worker: number, documents: BenchDocument[]) => {
    await ingestDocuments(db, caller, { feedId: feedIds[CLIENTS + worker] as string, documents });
  };
  const post = async (worker: number, body: Buffer) => {
    const path = `/api/v1/feeds/${feedIds[worker]}/documents`;
    const response = await (connections[worker] as Client).request({ method: "POST", path, headers, body });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`ingest answered ${response.statusCode}: ${text}`);
    if (!response.headers["ratelimit-remaining"]) throw new Error("the server does not count requests");
  };
  const settle = () => db.$executeRaw`CHECKPOINT`;

  const results = new Map<string, Measurement[]>();
  const phase = async <Batch>(
    name: string,
    batches: Batch[],
    workers: number,
    work: (worker: number, batch: Batch) => Promise<void>,
  ) => {
    await settle();
    const before = readCpuTimes(server.pid, installation.postmasterPid);
    const measured: Measurement = await measure(batches, workers, PHASE_MS, work);
    measured.cpu = cpuBetween(before, readCpuTimes(server.pid, installation.postmasterPid));
    results.set(name, [...(results.get(name) ?? []), measured]);
    process.stdout.write(`  ${name.padEnd(30)} ${format(rate([measured]))} documents/s\n`);
  };

  // Warm: compiled code, prepared statements, an index that is not empty.
  await measure(many(HTTP_BATCHES, makeBatch), CLIENTS, WARM_MS, storeDirectly);
  await measure(many(HTTP_BATCHES, makeBody), CLIENTS, WARM_MS * 3, post);
  await measure(many(FLOOR_BATCHES, makeBatch), CLIENTS, WARM_MS, (worker, batch) =>
    floor.store(worker, "feed", batch),
  );
  await measure(many(HTTP_BATCHES, makeBulk), CLIENTS, WARM_MS, peer.store);
  for (let round = 1; round <= ROUNDS; round++) {
    process.stdout.write(`Round ${round} of ${ROUNDS}\n`);
    await phase("floor, 8 connections", many(FLOOR_BATCHES, makeBatch), CLIENTS, (worker, batch) =>
      floor.store(worker, `feed-${worker}`, batch),
    );
    await phase("use case, 8 at a time", many(HTTP_BATCHES, makeBatch), CLIENTS, storeDirectly);
    await phase("HTTP, 1 client", many(HTTP_BATCHES, makeBody), 1, post);
    const sent: Buffer[][] = Array.from({ length: CLIENTS }, () => []);
    await phase("HTTP, 8 clients", many(HTTP_BATCHES, makeBody), CLIENTS, async (worker, body) => {
      await post(worker, body);
      sent[worker]?.push(body);
    });
    await phase("PouchDB, 8 clients", many(HTTP_BATCHES, makeBulk), CLIENTS, peer.store);
    // Each to the feed that has it, over and over: elsewhere it would be new.
    await phase(
      "HTTP, 8 clients, replays",
      many(HTTP_BATCHES * 4, (index) => index),
      CLIENTS,
      (worker, index) => {
        const own = sent[worker] ?? [];
        return post(worker, own[index % own.length] as Buffer);
      },
    );
  }

  await Promise.all(connections.map((connection) => connection.close()));
  await floor.end();
  await peer.end();
  await db.$disconnect();
  report(results);
}

function report(results: Map<string, Measurement[]>): void {
  const [cpu] = cpus();
  const base = rate(results.get("floor, 8 connections") ?? []);
  process.stdout.write(`\n${cpus().length} × ${cpu?.model}, Node ${process.versions.node}\n`);
  process.stdout.write(
    `${BATCH}-document batches, about 1.5 KB of random text each, authentication and limits on\n\n`,
  );
  for (const [name, measurements] of results) {
    const own = rate(measurements);
    process.stdout.write(
      `${name.padEnd(30)} ${format(own)} documents/s   ${(own / base).toFixed(2)} of the floor\n`,
    );
  }
  process.stdout.write("\nProcessor time per batch, in milliseconds:\n");
  for (const [name, measurements] of results) {
    const { bench, server, postgres } = cpuPerBatch(measurements);
    const parts = `PostgreSQL ${postgres.toFixed(1)}   server ${server.toFixed(1)}   clients ${bench.toFixed(1)}`;
    process.stdout.write(`${name.padEnd(30)} ${parts}\n`);
  }
  const ours = rate(results.get("HTTP, 8 clients") ?? []);
  const peer = rate(results.get("PouchDB, 8 clients") ?? []);
  const judge = (of: string, ratio: number, target: number) =>
    process.stdout.write(
      `Target: HTTP with 8 clients at least ${target} of ${of}: ${ratio >= target ? "met" : "missed"} (${ratio.toFixed(2)})\n`,
    );
  process.stdout.write("\n");
  judge("the floor", ours / base, TARGETS.floor);
  judge("PouchDB", ours / peer, TARGETS.peer);
}

function makeBulk(): Buffer {
  return toBulkDocs(makeBatch());
}

function cpuPerBatch(measurements: Measurement[]): CpuTimes {
  const batches = measurements.reduce((sum, one) => sum + one.batches, 0);
  const mean = (part: keyof CpuTimes) =>
    measurements.reduce((sum, one) => sum + (one.cpu?.[part] ?? 0), 0) / batches;
  return { bench: mean("bench"), server: mean("server"), postgres: mean("postgres") };
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Documents a second over all rounds. */
function rate(measurements: Measurement[]): number {
  const batches = measurements.reduce((sum, one) => sum + one.batches, 0);
  const seconds = measurements.reduce((sum, one) => sum + one.seconds, 0);
  return (batches * BATCH) / seconds;
}

function format(value: number): string {
  return Math.round(value).toLocaleString("en").padStart(8);
}
