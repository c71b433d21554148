import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { inTransaction } from "@/server/transaction";
import { claimDelivery } from "./claim-deliveries";
import { type DeliverOptions, deliverClaimed } from "./deliver-claimed";
import { type ByDelivery, getDelivery, noSuchDelivery } from "./deliveries";
import type { ApiDeliveryWithAttempts } from "./delivery-shape";
import { lockEndpoint } from "./endpoints";
import { DELIVERY_WINDOW_MS } from "./record-event";

/**
 * Sends a delivery again, delivered or not: the same body under the same webhook-id, tried now and, if
 * that fails, for another day.
 *
 * @returns the delivery after the attempt; it is `isSending` where another process was sending it just now.
 * @throws AppError not_found; conflict while the endpoint is disabled.
 */
export async function resendDelivery(
  db: Db,
  caller: Caller,
  { webhookId, deliveryId }: ByDelivery,
  options: DeliverOptions = {},
): Promise<ApiDeliveryWithAttempts> {
  const { workspaceId } = caller;
  await inTransaction(db, async (tx) => {
    const { state } = await lockEndpoint(tx, caller, { webhookId });
    if (state === "disabled") {
      throw new AppError("conflict", "This webhook is disabled. Enable it before deliveries are sent again.");
    }
    // Raw for the database's time. One that is being sent keeps its claim and gets another day.
    const count = await tx.$executeRaw`
      UPDATE webhook_deliveries
         SET state = 'pending', tries = 0, next_attempt_at = clock_timestamp(), finished_at = NULL,
             give_up_at = clock_timestamp() + make_interval(secs => ${DELIVERY_WINDOW_MS / 1000}::float8)
       WHERE workspace_id = ${workspaceId}::int AND id = ${deliveryId} AND endpoint_id = ${webhookId}`;
    if (count === 0) throw noSuchDelivery();
    await audit(tx, caller, "webhook.resend", deliveryId, { webhookId });
  });
  const claim = await claimDelivery(db, { workspaceId, id: deliveryId });
  if (claim) await deliverClaimed(db, claim, options);
  return getDelivery(db, caller, { webhookId, deliveryId });
}
