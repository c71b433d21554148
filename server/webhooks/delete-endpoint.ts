import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { deleteCredential } from "@/server/vault/credentials";
import { type ByEndpoint, lockEndpoint } from "./endpoints";

/**
 * Deletes an endpoint with its log and what was not delivered yet. An attempt under way may still arrive.
 *
 * @throws AppError not_found
 */
export async function deleteEndpoint(db: Db, caller: Caller, { webhookId }: ByEndpoint): Promise<void> {
  const { workspaceId } = caller;
  await inTransaction(db, async (tx) => {
    const { url, credentialId } = await lockEndpoint(tx, caller, { webhookId });
    await tx.webhookEndpoint.delete({ where: { workspaceId_id: { workspaceId, id: webhookId } } });
    await deleteCredential(tx, workspaceId, credentialId);
    await audit(tx, caller, "webhook.delete", webhookId, { url });
  });
  publish(db, caller, { webhook: [webhookId] });
}
