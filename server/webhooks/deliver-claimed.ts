import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import { env } from "@/server/env";
import { publish } from "@/server/live/publish";
import { log } from "@/server/log";
import { metrics } from "@/server/metrics/metrics";
import { inTransaction } from "@/server/transaction";
import { CredentialUnreadable, openCredential } from "@/server/vault/credentials";
import { type AttemptOutcome, afterAttempt } from "./after-attempt";
import type { DeliveryType } from "./choices";
import { type Claim, releaseDelivery } from "./claim-deliveries";
import { type Attempt, MAX_KEPT_ATTEMPTS, readAttempts } from "./delivery-shape";
import { type SendOptions, type SentAttempt, sendWebhook } from "./send-webhook";
import type { SigningSecret } from "./sign-delivery";

export type DeliverOptions = Partial<SendOptions> & { random?: () => number };

/** `superseded`: somebody else has the delivery, or it is gone; nothing was written. */
export type DeliveryOutcome = "delivered" | "failed" | "retrying" | "superseded";

/**
 * Makes the attempt that a claim stands for: outside any transaction, then writes what came of it, fenced
 * by the claim. A process that dies in between has perhaps delivered; the next attempt bears the same
 * webhook-id.
 *
 * @throws the signal's reason when the process stops; the claim is given back then.
 */
export async function deliverClaimed(
  db: Db,
  claim: Claim,
  { random = Math.random, ...options }: DeliverOptions = {},
): Promise<DeliveryOutcome> {
  const now = options.now ?? (() => new Date());
  try {
    const delivery = await readClaimed(db, claim);
    if (!delivery) return "superseded";
    const sent = await attempt(db, claim, delivery, { ...options, now });
    const outcome = await settle(db, claim, sent, { now: now(), random });
    metrics().webhookAttempts.inc({ outcome });
    publish(db, claim, { webhook: [claim.endpointId] });
    return outcome;
  } catch (error) {
    // After any other failure the lease's rest is the pause before the next try.
    if (options.signal?.aborted) await releaseDelivery(db, claim).catch(() => {});
    throw error;
  }
}

type Opened = { body: string; credentialId: string };

async function readClaimed(db: Db, { workspaceId, id, claim }: Claim): Promise<Opened | null> {
  const row = await db.webhookDelivery.findFirst({
    where: { workspaceId, id, claim, state: "pending" },
    select: { body: true, endpoint: { select: { credentialId: true } } },
  });
  return row && { body: row.body, credentialId: row.endpoint.credentialId };
}

async function attempt(
  db: Db,
  { workspaceId, id }: Claim,
  { body, credentialId }: Opened,
  options: DeliverOptions & { now: () => Date },
): Promise<SentAttempt> {
  let opened: { url: string; secrets: SigningSecret[] };
  try {
    const secret = await openCredential(db, workspaceId, credentialId);
    if (secret.type !== "webhook") throw new Error(`credential ${credentialId} is no webhook's`);
    opened = secret;
  } catch (error) {
    if (!(error instanceof CredentialUnreadable)) throw error;
    return { attempt: unreadable(options.now()), retryAfter: null };
  }
  return sendWebhook({ id, body, ...opened }, { allowPrivateNetworks: allowedNetworks(), ...options });
}

/** A restore without its TIDEMARK_SECRET: only entering the address again helps. */
function unreadable(at: Date): Attempt {
  const message =
    "The address and signing secret were sealed under another TIDEMARK_SECRET and cannot be read. Start with that secret, or delete this webhook and add it again.";
  return {
    at: at.toISOString(),
    ms: 0,
    status: null,
    error: { code: "secret_unreadable", message },
    response: null,
  };
}

async function settle(
  db: Db,
  { workspaceId, id, endpointId, claim }: Claim,
  sent: SentAttempt,
  clock: { now: Date; random: () => number },
): Promise<DeliveryOutcome> {
  return inTransaction(db, async (tx) => {
    // The endpoint first: deleting it takes the same order.
    const endpoint = await lockEndpoint(tx, workspaceId, endpointId);
    const delivery = await tx.webhookDelivery.findFirst({
      where: { workspaceId, id, claim, state: "pending" },
      select: { type: true, tries: true, giveUpAt: true, attempts: true },
    });
    if (!endpoint || !delivery) return "superseded";
    const tries = delivery.tries + 1;
    const type = delivery.type as DeliveryType;
    const outcome = afterAttempt({ ...delivery, type, tries }, endpoint, sent, clock);
    const { state } = outcome.delivery;
    const { count } = await tx.webhookDelivery.updateMany({
      where: { workspaceId, id, claim, state: "pending" },
      data: {
        ...outcome.delivery,
        tries,
        leaseUntil: null,
        finishedAt: state === "pending" ? null : clock.now,
        attempts: [...readAttempts(delivery.attempts), sent.attempt].slice(-MAX_KEPT_ATTEMPTS),
      },
    });
    if (count === 0) return "superseded";
    await settleEndpoint(tx, { workspaceId, endpointId }, outcome, clock.now);
    return state === "pending" ? "retrying" : state;
  });
}

type Standing = { failingSince: Date | null; consecutiveFailures: number };

async function lockEndpoint(tx: Tx, workspaceId: number, id: string): Promise<Standing | undefined> {
  const [row] = await tx.$queryRaw<Standing[]>`
    SELECT failing_since AS "failingSince", consecutive_failures AS "consecutiveFailures"
      FROM webhook_endpoints
     WHERE workspace_id = ${workspaceId}::int AND id = ${id}
       FOR NO KEY UPDATE`;
  return row;
}

async function settleEndpoint(
  tx: Tx,
  { workspaceId, endpointId }: { workspaceId: number; endpointId: string },
  { endpoint, disable }: AttemptOutcome,
  now: Date,
): Promise<void> {
  const where = { workspaceId, id: endpointId };
  await tx.webhookEndpoint.updateMany({ where, data: endpoint });
  if (!disable) return;
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { ...where, state: "enabled" },
    data: {
      state: "disabled",
      disabledBy: disable.by,
      disabledReason: disable.reason,
      disabledAt: now,
      updatedAt: now,
    },
  });
  if (count === 0) return;
  const caller: Caller = { workspaceId, actor: { type: "scheduler" } };
  await audit(tx, caller, "webhook.disabled", endpointId, { reason: disable.reason });
  log.warn({ workspaceId, webhookId: endpointId, reason: disable.reason }, "webhook disabled");
}

function allowedNetworks(): string[] {
  return env()
    .TIDEMARK_ALLOW_PRIVATE_NETWORKS.split(",")
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== "");
}
