import { cpus } from "node:os";
import superjson from "superjson";
import { LARGE, seedLargeWorkspace } from "@/scripts/large-workspace";
import { sealSession, sessionCookieName } from "@/server/access/read-session";
import { createDb, type Db } from "@/server/db";
import { newId } from "@/server/ids";
import { applyMigrations } from "@/server/migrations/apply-migrations";
import { createInstallation } from "./installation";

/**
 * `npm run bench -- pages`: how long the dashboard's pages take on a large workspace, from the request to
 * the last byte of the answer, data and all, by the production server. One after the other, warm: the
 * first of each is not counted. Exits with 1 when the median of any is over the target.
 */
const ROUNDS = 7;
/** Design §14 and F51. */
const TARGET_MS = 1_000;

const installation = await createInstallation();
try {
  if (!(await bench())) process.exitCode = 1;
} finally {
  await installation.end();
}

async function bench(): Promise<boolean> {
  const { databaseUrl } = installation;
  await applyMigrations(databaseUrl);
  const db = createDb(databaseUrl, 4);
  const { workspaceId, cookie } = await createOwner(db);
  const began = performance.now();
  await seedLargeWorkspace(db, workspaceId);
  const { feeds, documents, runs } = LARGE;
  console.log(
    `${feeds.toLocaleString("en")} feeds, ${documents.toLocaleString("en")} documents, ${runs.toLocaleString("en")} runs`,
    `seeded in ${Math.round((performance.now() - began) / 1000)} s; ${cpus().length} cores`,
  );
  const paths = await choosePaths(db, workspaceId);
  await db.$disconnect();
  const server = await installation.startServer();

  console.log(`\n${"".padEnd(34)}median     worst`);
  let isWithin = true;
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const at = performance.now();
      const response = await fetch(`${server.url}${path}`, { headers: { cookie } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      if (round > 0) times.push(performance.now() - at);
    }
    times.sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)] ?? 0;
    const isSlow = median > TARGET_MS;
    isWithin &&= !isSlow;
    console.log(
      `${name.padEnd(32)}${ms(median)}  ${ms(times.at(-1) ?? 0)}${isSlow ? "  over the target" : ""}`,
    );
  }
  console.log(`\nTarget: under ${TARGET_MS} ms each; ${isWithin ? "met" : "missed"}.`);
  return isWithin;
}

function ms(time: number): string {
  return `${Math.round(time)} ms`.padStart(8);
}

async function createOwner(db: Db): Promise<{ workspaceId: number; cookie: string }> {
  const { id: workspaceId } = await db.workspace.create({ data: { name: "Bench" } });
  const id = newId("usr");
  await db.user.create({ data: { id, email: "bench@tidemark.example", name: "Bench" } });
  await db.membership.create({ data: { workspaceId, userId: id, role: "owner" } });
  await db.instance.updateMany({ data: { setupCodeHash: null } });
  const session = await sealSession({ sub: id, sessionVersion: 1 });
  return { workspaceId, cookie: `${sessionCookieName(false)}=${session}` };
}

async function choosePaths(db: Db, workspaceId: number): Promise<Record<string, string>> {
  const feed = await db.feed.findFirstOrThrow({ where: { workspaceId, failingSince: { not: null } } });
  const feeds = await db.feed.findMany({ where: { workspaceId }, select: { id: true }, take: 50 });
  const run = await db.syncRun.findFirstOrThrow({ where: { workspaceId, status: "failed" } });
  const document = await db.document.findFirstOrThrow({ where: { workspaceId, state: "live" } });
  const query = (path: string, input: unknown) =>
    `/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`;
  return {
    Overview: "/overview",
    Sources: "/sources",
    "A source": `/sources/${feed.sourceId}`,
    Feeds: "/feeds",
    "A feed": `/feeds/${feed.id}`,
    Runs: "/runs",
    "A run": `/runs/${run.id}`,
    Documents: "/documents",
    "A document": `/documents/${document.id}`,
    Tokens: "/tokens",
    "Overview's answers": query("overview.get", undefined),
    "Overview's charts": query("overview.charts", undefined),
    "Sources by documents": query("sources.list", { sort: "documents", dir: "desc" }),
    "Feeds by cause": query("feeds.list", { cause: "failing:forbidden", sort: "failingSince" }),
    "Feeds matching": query("feeds.matching", { status: "failing" }),
    "Health strips of 50 feeds": query("feeds.history", { feedIds: feeds.map(({ id }) => id) }),
    "Longest runs": query("runs.list", { sort: "length" }),
    "Documents by title": query("documents.list", { q: "skagen, part 4" }),
    "Export of all feeds": "/api/export/feeds",
  };
}
