import { z } from "zod";
import type { Credentials } from "@/sdk/adapter";
import type { Db, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { keyRing } from "@/server/vault/key-ring";
import { seal, unseal } from "@/server/vault/seal";

const secretSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("basic"), username: z.string(), password: z.string() }),
  z.object({ type: z.literal("bearer"), token: z.string() }),
  /** A feed URL whose secrets are masked everywhere else. */
  z.object({ type: z.literal("url"), url: z.string() }),
  /** Where events are posted, and what they are signed with: the newest first, older ones until they end. */
  z.object({
    type: z.literal("webhook"),
    url: z.string(),
    secrets: z.array(z.object({ secret: z.string(), until: z.iso.datetime().nullable() })).min(1),
  }),
]);

/** What the vault keeps. */
export type VaultSecret = z.infer<typeof secretSchema>;

/** An opened credential. `revision` is the compare-and-swap token of a change. */
export type OpenCredential = { secret: VaultSecret; revision: number };

/**
 * The row is there but cannot be opened: sealed under a secret this installation does not have (a
 * restore without its TIDEMARK_SECRET), or damaged. Only entering the credential again helps.
 */
export class CredentialUnreadable extends AppError {
  constructor(
    readonly reason: "unknown_key" | "damaged",
    credentialId: string,
  ) {
    const message =
      reason === "unknown_key"
        ? "The stored credentials were sealed under another TIDEMARK_SECRET and cannot be read; the connection needs reconnecting: enter them again, or start with the secret they were saved under."
        : "The stored credentials are damaged and cannot be read; the connection needs reconnecting: enter them again.";
    super("conflict", message, { details: { credentialId, reason }, extra: { reason: "needs_reconnect" } });
  }
}

/**
 * Seals a secret into the vault: a new row, or the next revision of `existingId`. Pass the
 * transaction that also writes the row pointing to it.
 *
 * @param expectedRevision Only with `existingId`: change the row only while it has this revision.
 * @returns The credential's id.
 * @throws AppError not_found when `existingId` is not of this workspace; conflict when the revision moved on.
 */
export async function saveCredential(
  tx: Tx | Db,
  workspaceId: number,
  secret: Credentials | VaultSecret,
  existingId?: string,
  expectedRevision?: number,
): Promise<string> {
  if (secret.type === "none") throw new AppError("invalid_request", "There are no credentials to save.");
  const id = existingId ?? newId("crd");
  const [key] = keyRing();
  const sealed = {
    kind: secret.type,
    ciphertext: seal(key.key, JSON.stringify(secretSchema.parse(secret)), `${workspaceId}:${id}`),
    keyVersion: key.version,
  };
  if (existingId === undefined) {
    await tx.credential.create({ data: { workspaceId, id, ...sealed } });
    return id;
  }
  const { count } = await tx.credential.updateMany({
    where: { workspaceId, id, revision: expectedRevision },
    data: { ...sealed, revision: { increment: 1 }, updatedAt: new Date() },
  });
  if (count === 1) return id;
  if (expectedRevision === undefined) throw notFound();
  throw new AppError("conflict", "The credentials were changed by someone else meanwhile; try again.");
}

/**
 * @throws AppError not_found when the workspace has no such credential.
 * @throws CredentialUnreadable when it needs reconnecting.
 */
export async function openCredential(db: Tx | Db, workspaceId: number, id: string): Promise<VaultSecret> {
  return (await openCredentialRevision(db, workspaceId, id)).secret;
}

/** Like openCredential, with the revision that was read. */
export async function openCredentialRevision(
  db: Tx | Db,
  workspaceId: number,
  id: string,
): Promise<OpenCredential> {
  const row = await db.credential.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
  if (!row) throw notFound();
  return { secret: openRow(row), revision: row.revision };
}

/** @returns false when there was none. */
export async function deleteCredential(tx: Tx | Db, workspaceId: number, id: string): Promise<boolean> {
  const { count } = await tx.credential.deleteMany({ where: { workspaceId, id } });
  return count === 1;
}

/** @throws CredentialUnreadable */
export function openRow(row: {
  workspaceId: number;
  id: string;
  ciphertext: Uint8Array;
  keyVersion: number;
}): VaultSecret {
  const key = keyRing().find(({ version }) => version === row.keyVersion);
  if (!key) throw new CredentialUnreadable("unknown_key", row.id);
  const plaintext = unseal(key.key, row.ciphertext, `${row.workspaceId}:${row.id}`);
  if (plaintext === null) throw new CredentialUnreadable("damaged", row.id);
  return secretSchema.parse(JSON.parse(plaintext));
}

function notFound(): AppError {
  return new AppError("not_found", "There are no such credentials in this workspace.");
}
