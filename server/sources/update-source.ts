import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, Prisma, Tx } from "@/server/db";
import { publish } from "@/server/live/publish";
import { splitLookAddress } from "@/server/new-feeds/look-address";
import { saveLookSettings } from "@/server/new-feeds/save-look-settings";
import { inTransaction } from "@/server/transaction";
import { deleteCredential, saveCredential } from "@/server/vault/credentials";
import { checkConfig, checkCredentials, checkRunsOn, requireType } from "./check-config";
import { getSource } from "./get-source";
import { type LockedSource, lockSource } from "./lock-source";
import type { CredentialsInput, UpdateSourceInput } from "./schema";
import type { ApiSource } from "./source-shape";

/**
 * Changes a source's name, preferences, place to run or upstream credentials. Absent = unchanged.
 *
 * @throws AppError not_found, conflict while it is being deleted, invalid_request with paths.
 */
export async function updateSource(
  db: Db,
  caller: Caller,
  { sourceId, ...changes }: UpdateSourceInput & { sourceId: string },
): Promise<ApiSource> {
  await inTransaction(db, async (tx) => {
    const { workspaceId } = caller;
    const source = await lockSource(tx, caller, sourceId, "update");
    const { name, credentials } = changes;
    // Asked only by what needs it: a source can be renamed after its adapter went.
    const adapter = () => requireType(source.type);
    const config = changes.config && checkConfig(adapter(), changes.config);
    const runsOn = changes.runsOn && checkRunsOn(adapter(), changes.runsOn);
    if (credentials) checkCredentials(adapter(), credentials);
    await tx.source.update({
      where: { workspaceId_id: { workspaceId, id: sourceId } },
      data: {
        ...(name !== undefined && { name }),
        ...(config && { config: config as Prisma.InputJsonObject }),
        ...(runsOn && { runsOn }),
        updatedAt: new Date(),
      },
    });
    if (credentials !== undefined) await replaceCredentials(tx, workspaceId, source, credentials);
    if (runsOn && runsOn !== source.runsOn) await reschedule(tx, workspaceId, sourceId, runsOn);
    if (changes.newFeeds) {
      const row = await tx.source.findUniqueOrThrow({
        where: { workspaceId_id: { workspaceId, id: sourceId } },
      });
      await saveLookSettings(tx, row, changes.newFeeds);
    }
    // Never the credentials themselves: only that they changed.
    const detail = {
      name,
      config,
      runsOn,
      ...(credentials !== undefined && { hasCredentials: credentials !== null }),
      ...(changes.newFeeds && { newFeeds: describeLook(changes.newFeeds) }),
    };
    await audit(tx, caller, "source.update", sourceId, detail);
  });
  publish(db, caller, { source: [sourceId] });
  return getSource(db, caller, { sourceId });
}

function describeLook({ isOn, address }: NonNullable<UpdateSourceInput["newFeeds"]>) {
  return { isOn, address: address === undefined ? undefined : splitLookAddress(address).shown };
}

async function replaceCredentials(
  tx: Tx,
  workspaceId: number,
  source: LockedSource,
  credentials: CredentialsInput | null,
): Promise<void> {
  const credentialId = credentials
    ? await saveCredential(tx, workspaceId, credentials, source.credentialId ?? undefined)
    : null;
  await tx.source.update({
    where: { workspaceId_id: { workspaceId, id: source.id } },
    data: { credentialId },
  });
  if (!credentials && source.credentialId) await deleteCredential(tx, workspaceId, source.credentialId);
  // What waited for credentials tries them at once.
  await tx.feed.updateMany({
    where: { workspaceId, sourceId: source.id, state: "needs_reconnect" },
    data: {
      state: "active",
      consecutiveFailures: 0,
      failingSince: null,
      nextSyncAt: source.runsOn === "cloud" ? new Date() : null,
      nextSyncReason: "Credentials changed",
    },
  });
  await tx.source.updateMany({
    where: { workspaceId, id: source.id, lookFailures: { gt: 0 } },
    data: { nextLookAt: new Date() },
  });
}

/** Only the cloud's feeds have a due time. */
async function reschedule(tx: Tx, workspaceId: number, sourceId: string, runsOn: LockedSource["runsOn"]) {
  const isPolled = runsOn === "cloud";
  await tx.feed.updateMany({
    where: { workspaceId, sourceId, state: "active" },
    data: {
      nextSyncAt: isPolled ? new Date() : null,
      nextSyncReason: isPolled ? "Now synced by this server" : null,
    },
  });
}
