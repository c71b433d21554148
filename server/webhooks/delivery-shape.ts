import { z } from "zod";
import type { Prisma } from "@/server/db";
import type { DeliveryState, DeliveryType } from "./choices";

/** So many attempts of a delivery are told; the schedule makes about eleven in its day. */
export const MAX_KEPT_ATTEMPTS = 15;

/** Of an answer's body, in bytes: enough to see what it says. */
export const MAX_KEPT_BODY = 2048;

/** One try to deliver, as stored and shown. */
export const attemptSchema = z.object({
  at: z.string(),
  /** From sending to the end of what was read of the answer. */
  ms: z.int(),
  /** Null when no answer came. */
  status: z.int().nullable(),
  /** Null when it got through. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  response: z
    .object({
      contentType: z.string().nullable(),
      /** The first 2 KB, secrets masked. */
      body: z.string(),
      isCut: z.boolean(),
    })
    .nullable(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** A delivery on the wire. */
export type ApiDelivery = {
  /** Also the `webhook-id` header, the same on every attempt. */
  id: string;
  webhookId: string;
  type: DeliveryType;
  status: DeliveryState;
  /** A process is sending it right now. */
  isSending: boolean;
  attemptCount: number;
  /** Null when it is finished. */
  nextAttemptAt: string | null;
  /** An attempt that fails from then on is the last. */
  giveUpAt: string;
  createdAt: string;
  finishedAt: string | null;
  lastAttempt: Attempt | null;
};

/** One of them, with what was sent and every attempt. */
export type ApiDeliveryWithAttempts = ApiDelivery & {
  /** The request's body as it is signed and sent. */
  body: string;
  /** Oldest first; of many the latest. */
  attempts: Attempt[];
};

export const deliverySelect = {
  id: true,
  endpointId: true,
  type: true,
  state: true,
  claim: true,
  nextAttemptAt: true,
  leaseUntil: true,
  giveUpAt: true,
  attempts: true,
  createdAt: true,
  finishedAt: true,
} satisfies Prisma.WebhookDeliverySelect;

type DeliveryRow = Prisma.WebhookDeliveryGetPayload<{ select: typeof deliverySelect }>;

export function toDelivery(row: DeliveryRow, now: Date): ApiDelivery {
  const isSending = row.leaseUntil !== null && row.leaseUntil > now;
  return {
    id: row.id,
    webhookId: row.endpointId,
    type: row.type as DeliveryType,
    status: row.state as DeliveryState,
    isSending,
    attemptCount: row.claim,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    giveUpAt: row.giveUpAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    lastAttempt: readAttempts(row.attempts).at(-1) ?? null,
  };
}

export function toDeliveryWithAttempts(
  row: DeliveryRow & { body: string },
  now: Date,
): ApiDeliveryWithAttempts {
  return { ...toDelivery(row, now), body: row.body, attempts: readAttempts(row.attempts) };
}

export function readAttempts(value: unknown): Attempt[] {
  return z.array(attemptSchema).safeParse(value).data ?? [];
}
