import { randomBytes } from "node:crypto";
import { hashPassword } from "@/server/access/passwords";
import { insertMember } from "@/server/access/users";
import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { env } from "@/server/env";
import { newId } from "@/server/ids";
import { inTransaction } from "@/server/transaction";
import { LARGE, seedLargeWorkspace } from "./large-workspace";

/**
 * Run by `npm run seed:large`. Makes a workspace of its own each time, and prints its sign-in as one JSON
 * line on stdout; TIDEMARK_SEED_PASSWORD chooses the password.
 */
const started = performance.now();
const say = (line: string) =>
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);

const db = createDb(env().DATABASE_URL, 2);
try {
  const password = process.env.TIDEMARK_SEED_PASSWORD ?? randomBytes(12).toString("base64url");
  const { email, workspaceId } = await createOwner(db, password);
  await seedLargeWorkspace(db, workspaceId, LARGE, say);
  process.stdout.write(`${JSON.stringify({ email, password, workspaceId })}\n`);
} finally {
  await db.$disconnect();
}

async function createOwner(db: Db, password: string): Promise<{ email: string; workspaceId: number }> {
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (tx) => {
    const workspace = await tx.workspace.create({ data: { name: "Large Harbour" } });
    const email = `large-${workspace.id}@tidemark.example`;
    const user = { id: newId("usr"), email, name: "Large", passwordHash, role: "owner" as const };
    const caller: Caller = {
      workspaceId: workspace.id,
      actor: { type: "user", id: user.id, name: user.name },
    };
    await insertMember(tx, caller, user);
    await tx.instance.updateMany({ data: { setupCodeHash: null } });
    return { email, workspaceId: workspace.id };
  });
}
