import { randomBytes } from "node:crypto";

/** `<workspace in base 36>-<256 random bits>`: the workspace in it keeps the look-up in the tenant. */
const SPELLING = /^([0-9a-z]{1,6})-([A-Za-z0-9_-]{43})$/;
const MAX_WORKSPACE_ID = 2_147_483_647;

export function spellInvitation(workspaceId: number): string {
  return `${workspaceId.toString(36)}-${randomBytes(32).toString("base64url")}`;
}

/** @returns null for anything that cannot be the end of a link of ours. */
export function parseInvitation(token: string): { workspaceId: number } | null {
  const workspaceId = Number.parseInt(SPELLING.exec(token)?.[1] ?? "", 36);
  return workspaceId <= MAX_WORKSPACE_ID ? { workspaceId } : null;
}
