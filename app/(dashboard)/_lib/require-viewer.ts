import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Viewer } from "@/app/(dashboard)/_lib/viewer";
import { requestOrigin } from "@/server/access/peer";
import { getSessionPrincipal } from "@/server/access/session";
import { setupStatus } from "@/server/access/setup";
import { db } from "@/server/db";

/** The signed-in person and their workspace, or null. Read once per request. */
export const readViewer = cache(async (): Promise<Viewer | null> => {
  const principal = await getSessionPrincipal();
  if (!principal?.userId || !principal.role) return null;
  const [user, workspace] = await Promise.all([
    db().user.findUnique({ where: { id: principal.userId }, select: { name: true, email: true } }),
    db().workspace.findUnique({ where: { id: principal.caller.workspaceId }, select: { name: true } }),
  ]);
  if (!user || !workspace) return null;
  return {
    id: principal.userId,
    name: user.name,
    email: user.email,
    role: principal.role,
    workspaceId: principal.caller.workspaceId,
    workspaceName: workspace.name,
    canWrite: principal.scopes.has("sources:write"),
    canAdmin: principal.scopes.has("admin"),
    baseUrl: requestOrigin(await headers()),
  };
});

/**
 * The signed-in person; anyone else is sent to sign in, or to the first visit while there is no owner.
 * @param path Where to come back to.
 */
export async function requireViewer(path: string): Promise<Viewer> {
  const viewer = await readViewer();
  if (viewer) return viewer;
  if ((await setupStatus(db())).needed) redirect("/setup");
  redirect(path === "/overview" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`);
}
