import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openPolls } from "@/scripts/lib/open-polls";
import { createToken } from "@/server/access/tokens";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { makeBatch } from "./documents";
import { createInstallation } from "./installation";
import { createStore } from "./store";

/**
 * `npm run bench -- waiting`: how long after a commit a thousand polls that wait for it are answered, and what they
 * cost in memory. The production server in a process of its own; the polls, one token's, each on its own socket.
 */
const POLLS = 1_000;
/** The first warms up compiled code, and sockets' memory; it is not counted. */
const ROUNDS = 6;
/** Design §14, milliseconds. */
const TARGET_MEDIAN = 50;
const LOOK_EVERY_MS = 20;
const READY_LIMIT_MS = 30_000;
/** A collector that has nothing to do gives memory back only after a while. */
const SETTLE_MS = 3_000;

const installation = await createInstallation();
try {
  await bench();
} finally {
  await installation.end();
}

async function bench(): Promise<void> {
  const { databaseUrl } = installation;
  const { db, caller, feedIds } = await createStore(databaseUrl, 4, ["pushed"]);
  const feedId = feedIds[0] as string;
  const { token } = await createToken(db, caller, { name: "bench", scopes: ["changes:read"] });
  const admin = await createToken(db, caller, { name: "metrics", scopes: ["admin"] });
  const server = await installation.startServer();
  const changes = `${server.url}/api/v1/changes`;
  const headers = { authorization: `Bearer ${token}` };

  const memory: Record<"before" | "during" | "after", number[]> = { before: [], during: [], after: [] };
  const delays: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    memory.before.push(readMemory(server.pid));
    const { cursor } = await (await fetch(`${changes}/head`, { headers })).json();
    const answered = openPolls(
      Array.from({ length: POLLS }, () => `${changes}?wait=50&cursor=${cursor}`),
      token,
    );
    await untilWaiting(`${server.url}/api/metrics`, admin.token);
    memory.during.push(readMemory(server.pid));
    await ingestDocuments(db, caller, { feedId, documents: makeBatch().slice(0, 1) });
    const committedAt = performance.timeOrigin + performance.now();
    const answers = await answered;
    if (answers.some(({ status, body }) => status !== 200 || !body.includes('"op":"upsert"')))
      throw new Error("a poll was answered with something else than the change");
    delays.push(answers.map(({ answeredAt }) => answeredAt - committedAt).sort((a, b) => a - b));
    await delay(SETTLE_MS);
    memory.after.push(readMemory(server.pid));
  }
  await db.$disconnect();

  const counted = delays.slice(1);
  const medians = counted.map((round) => round[POLLS / 2] ?? Number.NaN);
  const lasts = counted.map((round) => round.at(-1) ?? Number.NaN);
  const list = (values: number[]) => values.map((value) => value.toFixed(0)).join(" ");
  const median = [...medians].sort((a, b) => a - b)[Math.floor(medians.length / 2)] ?? Number.NaN;
  process.stdout.write(
    `${POLLS} polls woken by one commit, in ${counted.length} rounds, milliseconds:\n` +
      `  median ${list(medians)}\n  last   ${list(lasts)}\n` +
      `Server's memory in MB, warm: before ${list(memory.before.slice(1))}   while they wait ${list(memory.during.slice(1))}   after ${list(memory.after.slice(1))}\n` +
      `Target: a median under ${TARGET_MEDIAN} ms: ${median < TARGET_MEDIAN ? "met" : "missed"} (${median.toFixed(0)})\n`,
  );
}

/** @param metrics the address of the metrics, which tell how many wait. */
async function untilWaiting(metrics: string, token: string): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  const headers = { authorization: `Bearer ${token}` };
  while (performance.now() < deadline) {
    const text = await (await fetch(metrics, { headers })).text();
    if (Number(/^tidemark_change_waiters (\d+)/m.exec(text)?.[1]) === POLLS) return;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error("the polls do not wait");
}

/** @returns resident megabytes; NaN where there is no /proc. */
function readMemory(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
