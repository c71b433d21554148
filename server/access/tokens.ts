import { audit } from "@/server/access/audit";
import { forgetTokens } from "@/server/access/authenticate-token";
import { parseInput } from "@/server/access/parse-input";
import { SCOPES, type Scope } from "@/server/access/principal";
import { type BrowseTokensInput, type BulkTokensInput, createTokenInput } from "@/server/access/schema";
import { spellToken } from "@/server/access/token-spelling";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId, sha256 } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { lockPeople } from "@/server/people/lock-people";
import { type BulkResult, forEach } from "@/server/tables/bulk";
import type { TablePage } from "@/server/tables/keyset";
import { inTransaction } from "@/server/transaction";

/** A token as lists show it: everything but the token. */
export type ListedToken = {
  id: string;
  name: string;
  /** First characters, for recognising it. */
  prefix: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

const LISTED = {
  id: true,
  name: true,
  prefix: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

/**
 * Makes a program's key. Only its hash is kept.
 *
 * @returns `token` is shown this once; nobody can read it again.
 * @throws AppError invalid_request for an empty name, no scope, or an expiry that has passed; forbidden for a person
 *   who is no admin, or not any more.
 */
export async function createToken(
  db: Db,
  caller: Caller,
  input: { name: string; scopes: readonly Scope[]; expiresAt?: Date | null },
): Promise<ListedToken & { token: string }> {
  const { name, scopes } = parseInput(createTokenInput, { name: input.name, scopes: [...input.scopes] });
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt && !(expiresAt.getTime() > Date.now())) {
    throw new AppError("invalid_request", "The token would already have expired.");
  }
  const { token, prefix } = spellToken(caller.workspaceId);
  const row = await inTransaction(db, async (tx) => {
    // Whoever is being removed, or is no admin any more, leaves no token that was made meanwhile.
    if (caller.actor.type === "user") await lockPeople(tx, caller);
    const created = await tx.apiToken.create({
      data: {
        workspaceId: caller.workspaceId,
        id: newId("tok"),
        name,
        tokenHash: new Uint8Array(sha256(token)),
        prefix,
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        createdBy: "id" in caller.actor ? caller.actor.id : caller.actor.type,
        expiresAt,
      },
      select: LISTED,
    });
    await audit(tx, caller, "token.create", created.id, { name, scopes: created.scopes, expiresAt });
    return created;
  });
  publish(db, caller, { token: [row.id] });
  return { ...toListed(row), token };
}

/** Every token of the workspace, newest first, revoked ones too. */
export async function listTokens(db: Db, caller: Pick<Caller, "workspaceId">): Promise<ListedToken[]> {
  const rows = await db.apiToken.findMany({
    where: { workspaceId: caller.workspaceId },
    orderBy: { id: "desc" },
    select: LISTED,
  });
  return rows.map(toListed);
}

/** The same as one page, for the export: a workspace has some dozens. */
export async function browseTokens(
  db: Db,
  caller: Pick<Caller, "workspaceId">,
  { tokens }: BrowseTokensInput,
  now: Date = new Date(),
): Promise<TablePage<ListedToken>> {
  const all = await listTokens(db, caller);
  const isUsable = ({ revokedAt, expiresAt }: ListedToken) => !revokedAt && (!expiresAt || expiresAt > now);
  return { items: tokens === "usable" ? all.filter(isUsable) : all, nextAfter: null, prevBefore: null };
}

/**
 * Ends a token within a second in every process (authenticate-token.ts says why). Revoking twice is
 * no error and leaves the first time standing.
 *
 * @throws AppError not_found when the workspace has no such token.
 */
export async function revokeToken(db: Db, caller: Caller, tokenId: string): Promise<ListedToken> {
  return (await revokeOne(db, caller, tokenId)).token;
}

/** Up to 100, each like the single act. `changed` false: it was revoked before. */
export async function revokeTokens(
  db: Db,
  caller: Caller,
  { tokenIds }: BulkTokensInput,
): Promise<BulkResult> {
  return forEach(tokenIds, (tokenId) => revokeOne(db, caller, tokenId));
}

async function revokeOne(
  db: Db,
  caller: Caller,
  tokenId: string,
): Promise<{ token: ListedToken; changed: boolean }> {
  const { workspaceId } = caller;
  const { found, changed } = await db.$transaction(async (tx) => {
    const { count } = await tx.apiToken.updateMany({
      where: { workspaceId, id: tokenId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    const found = await tx.apiToken.findUnique({
      where: { workspaceId_id: { workspaceId, id: tokenId } },
      select: LISTED,
    });
    if (!found) throw new AppError("not_found", "There is no such token in this workspace.");
    if (count === 1) await audit(tx, caller, "token.revoke", tokenId, { name: found.name });
    return { found, changed: count === 1 };
  });
  forgetTokens(db);
  publish(db, caller, { token: [tokenId] });
  return { token: toListed(found), changed };
}

function toListed(row: Omit<ListedToken, "scopes"> & { scopes: string[] }): ListedToken {
  return { ...row, scopes: row.scopes as Scope[] };
}
