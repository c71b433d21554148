import { DEMO_EMAIL } from "@/server/access/demo";
import { hashPassword } from "@/server/access/passwords";
import { insertMember } from "@/server/access/users";
import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { env } from "@/server/env";
import { newId } from "@/server/ids";
import { createSource } from "@/server/sources/create-source";
import type { CreateSourceInput } from "@/server/sources/schema";
import { inTransaction } from "@/server/transaction";

/**
 * Run by `npm run up -- --demo` once the server listens. Makes a demo workspace of its own, with sources
 * whose feeds this very server publishes (app/demo/). Running it again changes nothing, except that the
 * feeds follow the server to another port. Prints the demo's sign-in as one JSON line.
 */
const origin = env().TIDEMARK_DEMO_ORIGIN;
const password = process.env.TIDEMARK_DEMO_PASSWORD;
if (!origin || !password) throw new Error("seed-demo.ts is run by `npm run up -- --demo`.");

const db = createDb(env().DATABASE_URL, 2);
try {
  const caller = await ensureDemoOwner(db, password);
  await moveFeeds(db, caller, origin);
  for (const source of demoSources(origin)) await createSource(db, caller, source);
  process.stdout.write(`${JSON.stringify({ email: DEMO_EMAIL, password })}\n`);
} finally {
  await db.$disconnect();
}

/** The demo's workspace is never one that somebody uses. */
async function ensureDemoOwner(db: Db, password: string): Promise<Caller> {
  const known = await db.user.findUnique({ where: { email: DEMO_EMAIL }, include: { memberships: true } });
  const membership = known?.memberships[0];
  if (known && membership) {
    return { workspaceId: membership.workspaceId, actor: { type: "user", id: known.id, name: known.name } };
  }
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (tx) => {
    const workspace = await tx.workspace.create({ data: { name: "Demo Harbour" } });
    const user = { id: newId("usr"), email: DEMO_EMAIL, name: "Demo", passwordHash, role: "owner" as const };
    const caller: Caller = {
      workspaceId: workspace.id,
      actor: { type: "user", id: user.id, name: user.name },
    };
    await insertMember(tx, caller, user);
    return caller;
  });
}

/** Raw SQL because Prisma cannot replace a part of a string. */
async function moveFeeds(db: Db, { workspaceId }: Caller, to: string): Promise<void> {
  await db.$executeRaw`
    UPDATE feeds f
       SET external_key = regexp_replace(f.external_key, '^http://127\\.0\\.0\\.1:\\d+/', ${`${to}/`}::text),
           next_sync_at = now(), failing_since = NULL, consecutive_failures = 0, error = NULL
      FROM sources s
     WHERE f.workspace_id = ${workspaceId}::int AND s.workspace_id = f.workspace_id AND s.id = f.source_id
       AND s.key LIKE 'demo-%' AND f.state = 'active'
       AND f.external_key ~ '^http://127\\.0\\.0\\.1:\\d+/demo/' AND NOT starts_with(f.external_key, ${`${to}/`}::text)`;
}

function demoSources(at: string): CreateSourceInput[] {
  const feed = (file: string) => ({ externalKey: `${at}/demo/${file}` });
  const rss = (key: string, name: string, files: string[]): CreateSourceInput => ({
    type: "rss",
    key: `demo-${key}`,
    name,
    feeds: files.map(feed),
  });
  return [
    rss("harbour", "Demo Harbour", ["harbour.xml", "lighthouse.atom", "tides.json"]),
    rss("slow", "The Slow Boat", ["slow.xml"]),
    rss("broken", "The Printing Press", ["broken.xml"]),
    rss("limited", "The Weather Office", ["limited.xml"]),
    { type: "api", key: "demo-api", name: "Pushed by your own code", feeds: [{ externalKey: "default" }] },
  ];
}
