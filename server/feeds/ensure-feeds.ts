import { getAdapter } from "@/adapters/registry";
import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Prisma, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { deleteCredential, saveCredential } from "@/server/vault/credentials";
import { forgetRefusals } from "./refused-feeds";
import type { EnsureFeedInput } from "./schema";
import { refuseField, type StoredKey, toStoredKey } from "./stored-key";

export type SourceOfFeeds = { id: string; type: string; runsOn: "cloud" | "agent" | "api" };
export type EnsuredFeed = { id: string; created: boolean };

/** A checked feed: what is stored, what goes into the vault instead, and all it may be stored as already. */
type Wanted = EnsureFeedInput & StoredKey;

/**
 * Makes sure that a source has these feeds; an existing one is found by its externalKey and left as
 * it is, except that a watermark nobody knew yet is filled in.
 *
 * Runs in the caller's transaction, which holds a share lock on the source row: a source that is
 * being deleted gets no new feeds.
 *
 * @param pathOf the place of a feed's field in the request, for errors.
 * @returns one entry per input, in its order; the same key twice is one feed.
 * @throws AppError invalid_request with the paths of what is wrong; nothing is kept then.
 */
export async function ensureFeeds(
  tx: Tx,
  caller: Caller,
  source: SourceOfFeeds,
  inputs: EnsureFeedInput[],
  pathOf: (index: number, field: string) => string = (_, field) => field,
): Promise<EnsuredFeed[]> {
  const wanted = inputs.map((input, index) => checkFeed(source.type, input, (field) => pathOf(index, field)));
  const found = await findByKey(tx, caller, source.id, wanted);
  const created = new Set<string>();
  for (const feed of wanted) {
    const existing = knownKeys(feed)
      .map((key) => found.get(key))
      .find((row) => row !== undefined);
    if (existing) {
      feed.storedKey = existing.externalKey;
      if (existing.watermark === null && feed.watermark)
        await declareWatermark(tx, caller, existing.id, feed.watermark);
      continue;
    }
    const row = await insertFeed(tx, caller, source, feed);
    if (row) {
      found.set(row.externalKey, row);
      created.add(row.externalKey);
    }
  }
  await forgetRefusals(tx, { workspaceId: caller.workspaceId, sourceId: source.id, type: source.type }, [
    ...created,
  ]);
  // A rival that committed the same key meanwhile is visible now: READ COMMITTED.
  const rivals = wanted.filter((feed) => !found.has(feed.storedKey));
  for (const [key, row] of await findByKey(tx, caller, source.id, rivals)) found.set(key, row);
  return wanted.map((feed) => {
    const row = found.get(feed.storedKey);
    if (!row) throw new AppError("conflict", "This feed was added and removed at the same time. Try again.");
    return { id: row.id, created: created.delete(feed.storedKey) };
  });
}

function knownKeys({ storedKey, externalKey, formerKeys }: Wanted): string[] {
  return [storedKey, externalKey, ...formerKeys];
}

type FoundFeed = { id: string; externalKey: string; watermark: EnsureFeedInput["watermark"] };

async function findByKey(
  tx: Tx,
  { workspaceId }: Caller,
  sourceId: string,
  wanted: Wanted[],
): Promise<Map<string, FoundFeed>> {
  if (wanted.length === 0) return new Map();
  const keys = [...new Set(wanted.flatMap(knownKeys))];
  // Raw because the unique index is on md5(external_key), which only a query that says so can use.
  const rows = await tx.$queryRaw<FoundFeed[]>`
    SELECT id, external_key AS "externalKey", watermark::text
      FROM feeds
     WHERE workspace_id = ${workspaceId}::int AND source_id = ${sourceId} AND state <> 'deleting'
       AND md5(external_key) IN (SELECT md5(k) FROM unnest(${keys}::text[]) AS k)
       AND external_key = ANY(${keys}::text[])`;
  return new Map(rows.map((row) => [row.externalKey, row]));
}

async function insertFeed(
  tx: Tx,
  caller: Caller,
  source: SourceOfFeeds,
  feed: Wanted,
): Promise<FoundFeed | null> {
  const { workspaceId } = caller;
  const credentialId = feed.secretUrl
    ? await saveCredential(tx, workspaceId, { type: "url", url: feed.secretUrl })
    : null;
  // Pushes come by themselves; an agent asks for its feeds. Only the cloud's have a due time.
  const isPolled = source.runsOn === "cloud";
  const [row] = await tx.feed.createManyAndReturn({
    data: [
      {
        workspaceId,
        id: newId("feed"),
        sourceId: source.id,
        externalKey: feed.storedKey,
        name: feed.name ?? null,
        watermark: feed.watermark ?? null,
        config: (feed.config ?? {}) as Prisma.InputJsonObject,
        credentialId,
        intervalSeconds: feed.intervalSeconds ?? null,
        nextSyncAt: isPolled ? new Date() : null,
        nextSyncReason: isPolled ? "First sync" : null,
      },
    ],
    skipDuplicates: true,
    select: { id: true, externalKey: true, watermark: true },
  });
  if (!row) {
    if (credentialId) await deleteCredential(tx, workspaceId, credentialId);
    return null;
  }
  await audit(tx, caller, "feed.create", row.id, { sourceId: source.id, externalKey: row.externalKey });
  return row;
}

async function declareWatermark(
  tx: Tx,
  { workspaceId }: Caller,
  feedId: string,
  watermark: NonNullable<EnsureFeedInput["watermark"]>,
): Promise<void> {
  // The guard is in the WHERE: a push may have fixed the type since it was read.
  await tx.feed.updateMany({ where: { workspaceId, id: feedId, watermark: null }, data: { watermark } });
}

/** Completes a feed with what its adapter knows, or says what is wrong with it. */
function checkFeed(type: string, input: EnsureFeedInput, path: (field: string) => string): Wanted {
  const adapter = getAdapter(type);
  if (!adapter) return { ...input, storedKey: input.externalKey, secretUrl: null, formerKeys: [] };
  if (input.watermark && input.watermark !== adapter.watermark) {
    const message = `The watermark of "${type}" feeds is ${adapter.watermark}.`;
    throw refuseField({ path: path("watermark"), code: "wrong_watermark", message });
  }
  return {
    ...input,
    watermark: adapter.watermark,
    ...toStoredKey(adapter, input.externalKey, path("externalKey")),
  };
}
