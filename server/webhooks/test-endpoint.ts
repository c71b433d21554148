import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { inTransaction } from "@/server/transaction";
import { TEST_EVENT } from "./choices";
import { claimDelivery } from "./claim-deliveries";
import { dashboardUrl } from "./dashboard-url";
import { type DeliverOptions, deliverClaimed } from "./deliver-claimed";
import { getDelivery } from "./deliveries";
import type { ApiDeliveryWithAttempts } from "./delivery-shape";
import { type ByEndpoint, getEndpoint } from "./endpoints";
import { writeBody } from "./events";
import { addDeliveries } from "./record-event";

/** Whoever tests waits for the answer; left over by a crash, it is sent once more or not at all. */
const WINDOW_MS = 60_000;

/**
 * Sends a `webhook.test` now and waits for the answer, at most 15 seconds: one attempt, also to an endpoint
 * that is disabled. What the receiver answers is in the delivery's last attempt.
 *
 * @throws AppError not_found
 */
export async function testEndpoint(
  db: Db,
  caller: Caller,
  { webhookId }: ByEndpoint,
  options: DeliverOptions = {},
): Promise<ApiDeliveryWithAttempts> {
  const { workspaceId } = caller;
  await getEndpoint(db, caller, { webhookId });
  const data = {
    message: "This is a test of the webhook.",
    links: { webhook: dashboardUrl(`/webhooks/${webhookId}`) },
  };
  const body = writeBody(TEST_EVENT, new Date(), data);
  const deliveryId = await inTransaction(db, async (tx) => {
    const [id = ""] = await addDeliveries(tx, workspaceId, [webhookId], {
      type: TEST_EVENT,
      body,
      windowMs: WINDOW_MS,
    });
    return id;
  });
  const claim = await claimDelivery(db, { workspaceId, id: deliveryId });
  if (claim) await deliverClaimed(db, claim, options);
  return getDelivery(db, caller, { webhookId, deliveryId });
}
