import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A signing secret, and until when it still signs; null for the newest. */
export type SigningSecret = { secret: string; until: string | null };

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/**
 * The headers of Standard Webhooks. During a rotation every secret that still holds signs, the newest
 * first, so that a receiver with either accepts the delivery.
 *
 * @param at of this attempt: receivers refuse what is older than minutes.
 */
export function signDelivery(
  secrets: readonly SigningSecret[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const holding = secrets.filter(({ until }) => until === null || new Date(until) > at);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": holding.map(({ secret }) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
