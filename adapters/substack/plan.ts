import { createHash } from "node:crypto";
import type { Credentials, SyncContext } from "@/sdk/adapter";
import type { SubstackConfig } from "./config";
import type { Memory } from "./memory";

export const DAY_MS = 24 * 3600 * 1000;

export type Plan = {
  /** Read the archive to its end; otherwise stop where everything is known. */
  full: boolean;
  /** It begins without a position and with nothing of an earlier try: only then can it be complete. */
  fresh: boolean;
  /** No position yet, whether or not an earlier run began. */
  first: boolean;
  /** Up to this offset an unfinished walk came. */
  resumeAt: number;
};

/** Decides how far this sync reads, and marks what has to be read again. */
export function planWalk(
  ctx: Pick<SyncContext<SubstackConfig>, "config" | "cursor" | "credentials" | "now">,
  memory: Memory,
): Plan {
  const first = ctx.cursor.type === "none" && !memory.undated;
  // Having no position while the last walk had one means that a person took it back.
  const resumed = memory.walk !== null && memory.walk.first === first ? memory.walk : null;
  const fresh = first && resumed === null;
  if (fresh) for (const post of memory.posts.values()) post.fingerprint = "";

  const cookie = markOf(ctx.credentials);
  const hasNewCookie = cookie !== null && cookie !== memory.cookie;
  if (hasNewCookie) {
    for (const post of memory.posts.values()) if (post.teaser) post.fingerprint = "";
  }
  memory.cookie = cookie;

  const age = memory.fullWalkAt
    ? ctx.now().getTime() - memory.fullWalkAt.getTime()
    : Number.POSITIVE_INFINITY;
  const isDue = age >= ctx.config.fullWalkDays * DAY_MS || age < 0;
  const full = first || hasNewCookie || isDue || resumed?.full === true;
  if (full && !resumed) {
    for (const [, post] of memory.newestFirst().slice(0, ctx.config.recheckPosts)) post.fingerprint = "";
  }
  return { full, fresh, first, resumeAt: resumed?.offset ?? 0 };
}

/** Tells one cookie from the next; the cookie itself is in the vault alone. */
function markOf(credentials: Credentials): string | null {
  if (credentials.type !== "bearer") return null;
  return createHash("sha256").update(`substack.sid ${credentials.token}`).digest("base64url").slice(0, 8);
}
