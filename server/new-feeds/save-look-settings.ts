import type { Prisma, Source, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { refuseFeeds } from "@/server/feeds/refused-feeds";
import { deleteCredential, saveCredential } from "@/server/vault/credentials";
import { splitLookAddress } from "./look-address";
import { canLook, needsAddress } from "./look-shape";
import type { NewFeedsInput } from "./schema";

type Row = Pick<
  Source,
  "workspaceId" | "id" | "type" | "runsOn" | "addsNewFeeds" | "lookAddress" | "lookCredentialId"
>;

/**
 * Stores where a source's feeds were found and whether later ones are added, in the caller's transaction,
 * which holds the source's row. A changed address takes their claim from looks under way.
 *
 * @throws AppError invalid_request with the path `newFeeds.…` for a source that cannot be looked at again.
 */
export async function saveLookSettings(
  tx: Tx,
  source: Row,
  { isOn, address, leftOut }: NewFeedsInput,
): Promise<void> {
  const { workspaceId, id } = source;
  const willBeOn = isOn ?? source.addsNewFeeds;
  if (willBeOn && !canLook(source)) {
    throw refused("isOn", "Feeds of this source cannot be looked for by this server.");
  }
  const hasAddress = address !== undefined || source.lookAddress !== null;
  if (willBeOn && !hasAddress && needsAddress(source.type)) {
    throw refused("address", "Say where to look: the address of the site that offers the feeds.");
  }
  const data: Prisma.SourceUncheckedUpdateManyInput = {};
  if (address !== undefined) {
    Object.assign(data, await replaceAddress(tx, source, address), {
      lookAttempt: { increment: 1 },
      lookLeaseUntil: null,
      lookFailures: 0,
    });
  }
  if (isOn !== undefined) data.addsNewFeeds = isOn;
  // Soon, so that whoever turned it on sees that it works; but not what is on and only saved again.
  const isNews = address !== undefined || !source.addsNewFeeds;
  if (willBeOn && isNews) data.nextLookAt = new Date();
  await tx.source.updateMany({ where: { workspaceId, id }, data });
  if (leftOut) await refuseFeeds(tx, { workspaceId, sourceId: id, type: source.type }, leftOut, "not_chosen");
}

/** The address with its secrets in the vault, and what was there before removed from it. */
async function replaceAddress(
  tx: Tx,
  { workspaceId, lookCredentialId }: Row,
  address: string,
): Promise<Pick<Row, "lookAddress" | "lookCredentialId">> {
  const { shown, secret } = splitLookAddress(address);
  if (secret !== null) {
    const sealed = { type: "url", url: secret } as const;
    const id = await saveCredential(tx, workspaceId, sealed, lookCredentialId ?? undefined);
    return { lookAddress: shown, lookCredentialId: id };
  }
  if (lookCredentialId !== null) await deleteCredential(tx, workspaceId, lookCredentialId);
  return { lookAddress: shown, lookCredentialId: null };
}

function refused(field: string, message: string): AppError {
  const fields = [{ path: `newFeeds.${field}`, code: "invalid_value", message }];
  return new AppError("invalid_request", message, { fields });
}
