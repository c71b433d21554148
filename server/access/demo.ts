import type { Db, Prisma, Tx } from "@/server/db";

/** Who `npm run up -- --demo` makes. An address of a name that is reserved for examples. */
export const DEMO_EMAIL = "demo@tidemark.example";

/** The demo is there to be looked at; nobody means its workspace without naming it. */
const notDemo = {
  memberships: { none: { user: { email: DEMO_EMAIL } } },
} satisfies Prisma.WorkspaceWhereInput;

/**
 * The workspaces that a command can mean, two at most, the oldest first.
 *
 * @param wanted The one that was named; without it the demo's is none of them.
 */
export async function findMeantWorkspaces(
  db: Db | Tx,
  wanted: number | undefined,
): Promise<{ id: number }[]> {
  return db.workspace.findMany({
    where: wanted === undefined ? notDemo : { id: wanted },
    orderBy: { id: "asc" },
    take: 2,
    select: { id: true },
  });
}
