import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { type OpenCredential, openRow, saveCredential, type VaultSecret } from "@/server/vault/credentials";

/** How long the provider may take while the row stays locked. */
const REFRESH_TIMEOUT_MS = 30_000;

type Refresh = {
  /** The revision whose secret turned out to be used up. */
  seenRevision: number;
  /** Asks the provider; called at most once, by whoever gets the lock first. */
  renew(secret: VaultSecret): Promise<VaultSecret>;
};

const inFlight = new Map<string, Promise<OpenCredential>>();

/**
 * Renews a secret that expires, once however many callers find it expired at the same time. Providers
 * that rotate refresh tokens revoke the whole family when an old one is shown twice, so callers queue
 * on the row's lock and read it again: whoever finds a newer revision takes that.
 *
 * This is the one place that talks HTTP inside a transaction: the lock has to outlast the provider's
 * answer, in every process. Callers of one process share one connection. The new secret is committed
 * before anybody gets to use it.
 *
 * @throws whatever `renew` throws, with nothing changed. A provider's refusal counts only here, with
 *   the lock held: a refusal of an older revision means nothing.
 */
export function refreshCredential(
  db: Db,
  workspaceId: number,
  id: string,
  refresh: Refresh,
): Promise<OpenCredential> {
  const key = `${workspaceId}:${id}:${refresh.seenRevision}`;
  const running = inFlight.get(key);
  if (running) return running;
  const started = refreshLocked(db, workspaceId, id, refresh).finally(() => inFlight.delete(key));
  inFlight.set(key, started);
  return started;
}

function refreshLocked(
  db: Db,
  workspaceId: number,
  id: string,
  { seenRevision, renew }: Refresh,
): Promise<OpenCredential> {
  return db.$transaction(
    async (tx) => {
      await tx.$queryRaw`
        SELECT id FROM credentials WHERE workspace_id = ${workspaceId}::int AND id = ${id} FOR UPDATE`;
      // A later statement than the lock, so it sees what the lock's former holder wrote.
      const row = await tx.credential.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
      if (!row) throw new AppError("not_found", "There are no such credentials in this workspace.");
      const secret = openRow(row);
      if (row.revision !== seenRevision) return { secret, revision: row.revision };
      const renewed = await renew(secret);
      await saveCredential(tx, workspaceId, renewed, id, row.revision);
      return { secret: renewed, revision: row.revision + 1 };
    },
    { timeout: REFRESH_TIMEOUT_MS },
  );
}
