import { isScope, type Principal } from "@/server/access/principal";
import { parseToken } from "@/server/access/token-spelling";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { sha256 } from "@/server/ids";
import { log } from "@/server/log";
import { ShortMemory } from "@/server/short-memory";

/**
 * How long a token's row is believed. Counted from before it was read, so a revocation is felt in
 * every process within this time, whatever is lost on the way; half of the promised second.
 */
const BELIEVED_MS = 500;
/** `lastUsedAt` moves at most this often. */
const LAST_USED_EVERY_MS = 60_000;
/** Tokens remembered at once; beyond, the oldest are forgotten. */
const REMEMBERED_TOKENS = 5_000;

type TokenRow = { id: string; name: string; workspaceId: number; scopes: string[]; expiresAt: Date | null };

// On globalThis because Next bundles routes apart; by database because tests use several.
const shared = globalThis as typeof globalThis & { __tidemarkTokens?: WeakMap<Db, TokenMemory> };

class TokenMemory {
  /** Promises, not rows: parallel requests share one look-up. */
  readonly rows = new ShortMemory<Promise<TokenRow | null>>({ ms: BELIEVED_MS, entries: REMEMBERED_TOKENS });
  readonly usedWrittenAt = new Map<string, number>();
}

/**
 * Who a bearer token speaks for.
 *
 * @param authorizationHeader The header as it came, or null when there was none.
 * @throws AppError unauthenticated when it is missing, misspelled, unknown, expired or revoked. Which
 *   of the last three is not said: a stolen token should not tell its fate.
 */
export async function authenticateToken(db: Db, authorizationHeader: string | null): Promise<Principal> {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorizationHeader ?? "")?.[1];
  if (!bearer) {
    throw new AppError("unauthenticated", "Send an API token: Authorization: Bearer tdm_…");
  }
  const parsed = parseToken(bearer);
  const row = parsed && (await remember(db, parsed.workspaceId, sha256(bearer)));
  if (!row || (row.expiresAt && row.expiresAt.getTime() <= Date.now())) {
    throw new AppError("unauthenticated", "This API token is unknown, expired or revoked.");
  }
  return {
    caller: { workspaceId: row.workspaceId, actor: { type: "token", id: row.id, name: row.name } },
    scopes: new Set(row.scopes.filter(isScope)),
    role: null,
    userId: null,
    tokenId: row.id,
  };
}

/** Called by revokeToken: this process need not wait for its memory to run out. */
export function forgetTokens(db: Db): void {
  shared.__tidemarkTokens?.get(db)?.rows.clear();
}

function remember(db: Db, workspaceId: number, hash: Buffer): Promise<TokenRow | null> {
  const { rows } = memoryOf(db);
  const key = hash.toString("base64");
  const known = rows.recall(key);
  if (known) return known.value;
  const readAt = performance.now();
  const row = readToken(db, workspaceId, hash);
  rows.remember(key, row, readAt);
  row.then(
    (found) => !found && rows.forget(key), // guesses must not push real tokens out
    () => rows.forget(key),
  );
  return row;
}

async function readToken(db: Db, workspaceId: number, hash: Buffer): Promise<TokenRow | null> {
  // Raw because expiry is judged by the database's clock, which also wrote it.
  const [row] = await db.$queryRaw<TokenRow[]>`
    SELECT id, name, workspace_id AS "workspaceId", scopes, expires_at AS "expiresAt"
      FROM api_tokens
     WHERE workspace_id = ${workspaceId}::int AND token_hash = ${hash}::bytea
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;
  if (!row) return null;
  await noteUse(db, row);
  return row;
}

async function noteUse(db: Db, { workspaceId, id }: TokenRow): Promise<void> {
  const { usedWrittenAt } = memoryOf(db);
  const now = performance.now();
  const writtenAt = usedWrittenAt.get(id);
  if (writtenAt !== undefined && now - writtenAt < LAST_USED_EVERY_MS) return;
  if (usedWrittenAt.size > REMEMBERED_TOKENS) usedWrittenAt.clear();
  usedWrittenAt.set(id, now);
  try {
    await db.$executeRaw`
      UPDATE api_tokens SET last_used_at = now()
       WHERE workspace_id = ${workspaceId}::int AND id = ${id}
         AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;
  } catch (error) {
    // A nicety of the token list must not turn a good request away.
    log.warn({ err: error, tokenId: id }, "could not note a token's use");
  }
}

function memoryOf(db: Db): TokenMemory {
  shared.__tidemarkTokens ??= new WeakMap();
  let memory = shared.__tidemarkTokens.get(db);
  if (!memory) {
    memory = new TokenMemory();
    shared.__tidemarkTokens.set(db, memory);
  }
  return memory;
}
