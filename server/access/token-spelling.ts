import { randomBytes } from "node:crypto";
import { AppError } from "@/server/errors";

/** `tdm_<workspace in base 36>_<256 random bits>`: the workspace in it keeps the look-up in the tenant. */
const SPELLING = /^tdm_([0-9a-z]{1,6})_([A-Za-z0-9_-]{43})$/;
const MAX_WORKSPACE_ID = 2_147_483_647;
/** Characters of the random part that a list shows for recognition: 24 of 256 bits. */
const SHOWN_CHARACTERS = 4;

export function spellToken(workspaceId: number): { token: string; prefix: string } {
  const head = `tdm_${workspaceId.toString(36)}_`;
  const random = randomBytes(32).toString("base64url");
  return { token: head + random, prefix: head + random.slice(0, SHOWN_CHARACTERS) };
}

/** @returns null for anything that cannot be a token of ours. */
export function parseToken(token: string): { workspaceId: number } | null {
  const match = SPELLING.exec(token);
  if (!match?.[1]) return null;
  const workspaceId = Number.parseInt(match[1], 36);
  return workspaceId <= MAX_WORKSPACE_ID ? { workspaceId } : null;
}

const TOKEN_PARAMETERS = ["token", "access_token", "api_token", "apikey", "api_key", "authorization"];

/**
 * Refuses a token in the query string: URLs end up in logs, histories and referrers. The wire asks
 * this before it looks at the Authorization header.
 *
 * @throws AppError unauthenticated, also when the header would have been good: whoever sends both leaks it.
 */
export function refuseQueryToken(url: string | URL): void {
  const { searchParams } = new URL(url, "http://localhost");
  for (const [name, value] of searchParams) {
    if (/\btdm_[0-9a-z]{1,6}_/.test(value) || TOKEN_PARAMETERS.includes(name.toLowerCase())) {
      throw new AppError(
        "unauthenticated",
        "Tokens in a URL are refused: URLs are logged. Send the header Authorization: Bearer tdm_… and, if this token was real, revoke it.",
      );
    }
  }
}
