import type { z } from "zod";
import { maskUrl } from "@/sdk/mask-url";
import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import { readSafePoint } from "@/server/changes/safe-point";
import type { Db, Prisma, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { openCredentialRevision, saveCredential } from "@/server/vault/credentials";
import type { ApiEndpoint } from "./endpoint-shape";
import { getEndpoint, type LockedEndpoint, lockEndpoint } from "./endpoints";
import { refuseAddress } from "./refuse-address";
import { updateEndpointInput } from "./schema";

/**
 * Changes an endpoint; what is left out stays. An address sent as it is shown, secrets masked, stays too.
 * Enabling forgets the failures and what the receiver asked to wait: who does it has looked at the cause.
 *
 * @throws AppError not_found, invalid_request
 */
export async function updateEndpoint(
  db: Db,
  caller: Caller,
  input: z.input<typeof updateEndpointInput>,
): Promise<ApiEndpoint> {
  const { webhookId, ...changes } = parseInput(updateEndpointInput, input);
  const head = changes.events?.includes("changes.available")
    ? await readSafePoint(db, caller.workspaceId)
    : null;
  const endpoint = await inTransaction(db, async (tx) => {
    const before = await lockEndpoint(tx, caller, { webhookId });
    const url = changes.url === before.url ? undefined : changes.url;
    if (url !== undefined) {
      refuseAddress(url);
      await saveAddress(tx, caller, before, url);
    }
    const state = changes.status === before.state ? undefined : changes.status;
    const isNewToChanges = head !== null && !before.events.includes("changes.available");
    await tx.webhookEndpoint.update({
      where: { workspaceId_id: { workspaceId: caller.workspaceId, id: webhookId } },
      data: {
        ...(url !== undefined && { url: maskUrl(url), waitsUntil: null }),
        description: changes.description,
        events: changes.events,
        ...(isNewToChanges && { changesSeq: head }),
        ...(state && turned(state)),
        updatedAt: new Date(),
      },
    });
    const { description, events } = changes;
    await audit(tx, caller, "webhook.update", webhookId, { url, description, events, status: state });
    return getEndpoint(tx, caller, { webhookId });
  });
  publish(db, caller, { webhook: [webhookId] });
  return endpoint;
}

function turned(state: "enabled" | "disabled"): Prisma.WebhookEndpointUpdateInput {
  if (state === "disabled") {
    return { state, disabledBy: "person", disabledReason: null, disabledAt: new Date() };
  }
  return {
    state,
    disabledBy: null,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    consecutiveFailures: 0,
    waitsUntil: null,
  };
}

async function saveAddress(
  tx: Tx,
  { workspaceId }: Caller,
  { credentialId }: LockedEndpoint,
  url: string,
): Promise<void> {
  const { secret, revision } = await openCredentialRevision(tx, workspaceId, credentialId);
  if (secret.type !== "webhook") throw new AppError("conflict", "This webhook has no signing secret.");
  await saveCredential(tx, workspaceId, { ...secret, url }, credentialId, revision);
}
