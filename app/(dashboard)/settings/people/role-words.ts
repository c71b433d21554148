import type { Role } from "@/app/(dashboard)/_lib/viewer";

/** What each role may, for whoever chooses; each may also what those before it may. */
export const ROLE_WORDS: Record<Role, { name: string; may: string }> = {
  viewer: { name: "Viewer", may: "Reads everything; changes nothing." },
  member: { name: "Member", may: "Also connects and changes sources, feeds and documents." },
  admin: { name: "Admin", may: "Also manages tokens, webhooks, people, settings and held deletes." },
  owner: { name: "Owner", may: "Also names the workspace, and makes and unmakes owners." },
};
