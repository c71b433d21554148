import { parseResetHeader, parseRetryAfter } from "@/adapters/retry-after";
import { type GuardedResponse, UpstreamError } from "@/sdk/adapter";
import type { Db } from "@/server/db";
import { describeDuration } from "./describe-duration";

/** Whom an upstream counts our requests against: the host, and the account used there. */
export type HostKey = {
  workspaceId: number;
  /** `host[:port]` */
  host: string;
  /** Credential id, "" for anonymous requests. */
  credentialKey: string;
};

/**
 * Refuses a request to a host that asked us to wait, before it is made.
 *
 * @throws UpstreamError rate_limited
 */
export async function refuseDuringCooldown(
  db: Db,
  { workspaceId, host, credentialKey }: HostKey,
): Promise<void> {
  const [cooldown] = await db.$queryRaw<{ until: Date; seconds: number }[]>`
    SELECT until, extract(epoch FROM until - clock_timestamp())::float8 AS seconds
      FROM host_cooldowns
     WHERE workspace_id = ${workspaceId}::int AND host = ${host} AND credential_key = ${credentialKey}
       AND until > clock_timestamp()`;
  if (!cooldown) return;
  throw new UpstreamError(
    "rate_limited",
    `${host} asked to be left alone for another ${describeDuration(cooldown.seconds)}; no request was made.`,
    { retryable: true, retryAt: cooldown.until },
  );
}

/**
 * Remembers the wait that an answer asks for (429, and 503 with Retry-After), so that it survives a
 * restart and holds for every feed of this host and credential. Unreadable values ask for nothing:
 * the feed itself backs off then. At most 24 hours; a shorter wait does not undo a longer one.
 */
export async function rememberCooldown(
  db: Db,
  { workspaceId, host, credentialKey }: HostKey,
  response: Pick<GuardedResponse, "status" | "headers">,
  now: Date,
): Promise<void> {
  if (response.status !== 429 && response.status !== 503) return;
  const until = readWait(response, now);
  if (!until || until <= now) return;
  // The wait is a length on this process's clock and a moment on the database's: clocks may disagree.
  const seconds = (until.getTime() - now.getTime()) / 1000;
  await db.$executeRaw`
    INSERT INTO host_cooldowns AS c (workspace_id, host, credential_key, until, reason)
    VALUES (${workspaceId}::int, ${host}, ${credentialKey},
            clock_timestamp() + least(make_interval(secs => ${seconds}::float8), interval '24 hours'),
            ${`${response.status}`})
    ON CONFLICT (workspace_id, host, credential_key) DO UPDATE
       SET until = greatest(c.until, excluded.until), reason = excluded.reason`;
}

/** As throwForStatus reads it: Retry-After, else a vendor's reset header on a 429. */
function readWait({ status, headers }: Pick<GuardedResponse, "status" | "headers">, now: Date): Date | null {
  const until = parseRetryAfter(headers["retry-after"], now);
  if (until || status !== 429) return until;
  return parseResetHeader(headers["x-rate-limit-reset"] ?? headers["x-ratelimit-reset"], now);
}
