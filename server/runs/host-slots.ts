import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import type { HostKey } from "./host-cooldown";

/** Requests in flight per host and credential, over all processes. */
const SLOTS = 2;
/** Longer than the longest request (60 s, adapters/http.ts), so that only a dead process loses its slot. */
const SLOT_SECONDS = 90;
const RETRY_MS = 50;
const MAX_RETRY_MS = 400;

/** Tells waiters of this process that a place of theirs came free; those of others look again by themselves. */
const released = new EventEmitter().setMaxListeners(0);

/**
 * Waits for one of the two places per host and credential. A place is a leased row, so it holds across
 * processes and comes back by itself when its holder dies. Holds no connection while it waits.
 *
 * @returns what gives the place back.
 * @throws the signal's reason when it is aborted first.
 */
export async function takeHostSlot(db: Db, key: HostKey, signal?: AbortSignal): Promise<() => void> {
  const holder = randomUUID();
  for (let waitMs = RETRY_MS; ; waitMs = Math.min(waitMs * 1.5, MAX_RETRY_MS)) {
    signal?.throwIfAborted();
    if (await tryTake(db, key, holder)) break;
    await pause(keyName(key), waitMs * (0.5 + Math.random()), signal);
  }
  return () => void giveBack(db, key, holder);
}

async function giveBack(db: Db, key: HostKey, holder: string): Promise<void> {
  const { workspaceId, host, credentialKey } = key;
  try {
    await db.$executeRaw`
      DELETE FROM host_slots
       WHERE workspace_id = ${workspaceId}::int AND host = ${host} AND credential_key = ${credentialKey}
         AND holder = ${holder}`;
    released.emit(keyName(key));
  } catch (error) {
    // The lease gives it back.
    log.warn({ err: error, host }, "host slot could not be released");
  }
}

/** Until the time is up or a place of this key came free here. @throws the signal's reason. */
async function pause(name: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const free = new AbortController();
  const onRelease = () => free.abort();
  released.once(name, onRelease);
  try {
    await delay(ms, undefined, { signal: signal ? AbortSignal.any([signal, free.signal]) : free.signal });
  } catch {
    signal?.throwIfAborted();
  } finally {
    released.off(name, onRelease);
  }
}

function keyName({ workspaceId, host, credentialKey }: HostKey): string {
  return `${workspaceId} ${host} ${credentialKey}`;
}

async function tryTake(
  db: Db,
  { workspaceId, host, credentialKey }: HostKey,
  holder: string,
): Promise<boolean> {
  // Raw: a free place is one without a row or with an expired one, and the conflict target decides races.
  const taken = await db.$executeRaw`
    INSERT INTO host_slots AS s (workspace_id, host, credential_key, slot, holder, expires_at)
    SELECT ${workspaceId}::int, ${host}, ${credentialKey}, n, ${holder},
           clock_timestamp() + make_interval(secs => ${SLOT_SECONDS}::int)
      FROM generate_series(1, ${SLOTS}::int) AS n
     WHERE NOT EXISTS (SELECT 1 FROM host_slots h
                        WHERE h.workspace_id = ${workspaceId}::int AND h.host = ${host}
                          AND h.credential_key = ${credentialKey} AND h.slot = n AND h.expires_at > clock_timestamp())
     ORDER BY n
     LIMIT 1
    ON CONFLICT (workspace_id, host, credential_key, slot) DO UPDATE
       SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE s.expires_at <= clock_timestamp()`;
  return taken === 1;
}
