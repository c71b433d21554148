import { z } from "@hono/zod-openapi";
import {
  DELIVERY_STATES,
  DELIVERY_TYPES,
  DISABLED_BY,
  ENDPOINT_STATES,
  WEBHOOK_EVENTS,
} from "@/server/webhooks/choices";
import {
  type ApiDelivery,
  type ApiDeliveryWithAttempts,
  attemptSchema,
} from "@/server/webhooks/delivery-shape";
import type { ApiEndpoint, EndpointWithSecret } from "@/server/webhooks/endpoint-shape";

/** The answers about webhooks, for openapi.json; see schemas.ts. */

const instant = z.iso.datetime().meta({ description: "RFC 3339, UTC" });

const endpointObject = z.object({
  id: z.string(),
  url: z.string().meta({ description: "Secrets masked" }),
  description: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  status: z.enum(ENDPOINT_STATES),
  disabledBy: z
    .enum(DISABLED_BY)
    .nullable()
    .meta({ description: "a person, `gone` after its own 410, `failing` after five days without a success" }),
  disabledReason: z.string().nullable(),
  disabledAt: instant.nullable(),
  failingSince: instant.nullable(),
  consecutiveFailures: z.int(),
  lastSuccessAt: instant.nullable(),
  waitsUntil: instant
    .nullable()
    .meta({ description: "Nothing is sent before: it answered with Retry-After" }),
  overlapUntil: instant.nullable().meta({ description: "Until then the secret before signs too" }),
  createdAt: instant,
  updatedAt: instant,
});
export const webhookSchema: z.ZodType<ApiEndpoint> = endpointObject.meta({ id: "Webhook" });
export const webhookWithSecretSchema: z.ZodType<EndpointWithSecret> = endpointObject
  .extend({ secret: z.string().meta({ description: "`whsec_…`, shown this once" }) })
  .meta({ id: "WebhookWithSecret" });

const attempt = attemptSchema.meta({ id: "WebhookAttempt" });
const deliveryObject = z.object({
  id: z.string().meta({ description: "Also the `webhook-id` header, the same on every attempt" }),
  webhookId: z.string(),
  type: z.enum(DELIVERY_TYPES),
  status: z.enum(DELIVERY_STATES).meta({ description: "`failed`: given up" }),
  isSending: z.boolean(),
  attemptCount: z.int(),
  nextAttemptAt: instant.nullable(),
  giveUpAt: instant.meta({ description: "An attempt that fails from then on is the last" }),
  createdAt: instant,
  finishedAt: instant.nullable(),
  lastAttempt: attempt.nullable(),
});
export const deliverySchema: z.ZodType<ApiDelivery> = deliveryObject.meta({ id: "WebhookDelivery" });
export const deliveryWithAttemptsSchema: z.ZodType<ApiDeliveryWithAttempts> = deliveryObject
  .extend({
    body: z.string().meta({ description: "The request's body as it is signed and sent" }),
    attempts: z.array(attempt).meta({ description: "Oldest first; of many the latest 15" }),
  })
  .meta({ id: "WebhookDeliveryWithAttempts" });
