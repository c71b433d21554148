import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, Prisma, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { type EnsuredFeed, ensureFeeds } from "@/server/feeds/ensure-feeds";
import { readFeedFacts } from "@/server/feeds/feed-facts";
import { type ApiFeed, feedSelect, toFeed } from "@/server/feeds/feed-shape";
import { newId } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { saveLookSettings } from "@/server/new-feeds/save-look-settings";
import { inTransaction } from "@/server/transaction";
import { saveCredential } from "@/server/vault/credentials";
import { checkConfig, checkCredentials, checkRunsOn, requireType } from "./check-config";
import { getSource } from "./get-source";
import { type LockedSource, lockSource } from "./lock-source";
import type { CreateSourceInput } from "./schema";
import type { ApiSource } from "./source-shape";

export type CreatedSource = ApiSource & {
  /** The feeds asked for in the same call, in their order. */
  feeds: ApiFeed[];
};

/**
 * Connects a source, with its first feeds in the same transaction. With `key` it ensures: an existing
 * source of that key is returned as it is, and gets the feeds it lacks.
 *
 * @throws AppError invalid_request with paths for an unknown type, a bad config, feed or credentials;
 *   conflict when the key belongs to a source of another type. Nothing is kept then.
 */
export async function createSource(
  db: Db,
  caller: Caller,
  input: CreateSourceInput,
): Promise<{ source: CreatedSource; created: boolean }> {
  const adapter = requireType(input.type);
  const config = checkConfig(adapter, input.config ?? {});
  const runsOn = checkRunsOn(adapter, input.runsOn);
  if (input.credentials) checkCredentials(adapter, input.credentials);

  const outcome = await inTransaction(db, async (tx) => {
    const existing = input.key ? await findByKey(tx, caller, input.key, input.type) : null;
    const name = input.name ?? adapter?.name ?? "API";
    const source = existing ?? (await insert(tx, caller, { ...input, name, config, runsOn }));
    const feeds = await ensureFeeds(
      tx,
      caller,
      source,
      input.feeds ?? [],
      (i, field) => `feeds[${i}].${field}`,
    );
    return { sourceId: source.id, feeds, created: source.isNew };
  });
  publish(db, caller, { source: [outcome.sourceId], feed: outcome.feeds.map((feed) => feed.id) });
  const source = await getSource(db, caller, outcome);
  return {
    source: { ...source, feeds: await readFeeds(db, caller, outcome.feeds) },
    created: outcome.created,
  };
}

type Ensured = Pick<LockedSource, "id" | "type" | "runsOn"> & { isNew: boolean };
type Checked = CreateSourceInput & Required<Pick<CreateSourceInput, "name" | "config" | "runsOn">>;

async function findByKey(tx: Tx, caller: Caller, key: string, type: string): Promise<Ensured | null> {
  const { workspaceId } = caller;
  const row = await tx.source.findUnique({
    where: { workspaceId_key: { workspaceId, key } },
    select: { id: true },
  });
  if (!row) return null;
  const source = await lockSource(tx, caller, row.id, "share");
  if (source.type === type) return { ...source, isNew: false };
  throw new AppError("conflict", `The key "${key}" belongs to a source of type "${source.type}".`);
}

async function insert(tx: Tx, caller: Caller, input: Checked): Promise<Ensured> {
  const { workspaceId } = caller;
  const id = newId("src");
  const { count } = await tx.source.createMany({
    data: [
      {
        workspaceId,
        id,
        type: input.type,
        name: input.name,
        key: input.key ?? null,
        config: input.config as Prisma.InputJsonObject,
        runsOn: input.runsOn,
      },
    ],
    skipDuplicates: true,
  });
  if (count === 0) {
    // A rival took the key between look-up and insert, and has committed: the insert waited for it.
    const rival = await findByKey(tx, caller, input.key ?? "", input.type);
    if (!rival)
      throw new AppError("conflict", "This source was added and removed at the same time. Try again.");
    return rival;
  }
  if (input.credentials) {
    const credentialId = await saveCredential(tx, workspaceId, input.credentials);
    await tx.source.update({ where: { workspaceId_id: { workspaceId, id } }, data: { credentialId } });
  }
  if (input.newFeeds) {
    const fresh = await tx.source.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } });
    await saveLookSettings(tx, fresh, input.newFeeds);
  }
  await audit(tx, caller, "source.create", id, {
    type: input.type,
    name: input.name,
    key: input.key ?? null,
    ...(input.newFeeds?.isOn && { addsNewFeeds: true }),
  });
  return { id, type: input.type, runsOn: input.runsOn, isNew: true };
}

async function readFeeds(db: Db, { workspaceId }: Caller, ensured: EnsuredFeed[]): Promise<ApiFeed[]> {
  const ids = ensured.map((feed) => feed.id);
  if (ids.length === 0) return [];
  const rows = await db.feed.findMany({ where: { workspaceId, id: { in: ids } }, select: feedSelect });
  const factsOf = await readFeedFacts(db, workspaceId, ids);
  const now = new Date();
  const byId = new Map(rows.map((row) => [row.id, toFeed(row, factsOf(row.id), now)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
