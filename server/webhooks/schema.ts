import { z } from "zod";
import { idText, pageFields, shortText } from "@/server/inputs";
import {
  DELIVERY_STATES,
  DELIVERY_TYPES,
  ENDPOINT_STATES,
  MAX_OVERLAP_SECONDS,
  WEBHOOK_EVENTS,
} from "./choices";

/** Inputs of the webhook use cases, shared with routes, router and forms. Safe for browsers. */

const address = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .refine(isWebAddress, "must be a whole address that begins with https:// or http://")
  .meta({
    description:
      "Where events are posted, http or https. Secrets in it are kept in the vault and masked in answers.",
  });

const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1, "needs at least one event")
  .max(50)
  .transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event)))
  .meta({ description: "Types of events it is told of" });

const description = z.union([z.literal(""), shortText(200)]);

export const createEndpointInput = z.object({
  url: address,
  events,
  description: description.optional(),
});

/** What is left out stays as it is. */
export const updateEndpointFields = z.object({
  url: address.optional(),
  events: events.optional(),
  description: description.optional(),
  status: z.enum(ENDPOINT_STATES).optional(),
});

export const byEndpoint = z.object({ webhookId: idText });
export const updateEndpointInput = updateEndpointFields.extend(byEndpoint.shape);

export const rotateFields = z.object({
  /** Seconds for which deliveries are signed with both secrets; 0 ends the old one at once. */
  overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).optional().meta({
    description: "How long the secret before signs too, in seconds; a day when left out, 0 ends it at once",
  }),
});
export const rotateInput = rotateFields.extend(byEndpoint.shape);

export const deliveryFilter = {
  status: z.enum(DELIVERY_STATES).optional(),
  type: z.enum(DELIVERY_TYPES).optional(),
};
export const listDeliveriesInput = byEndpoint.extend({ ...deliveryFilter, ...pageFields });
export const byDelivery = byEndpoint.extend({ deliveryId: idText });

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value) || !value.isWellFormed()) return false;
  const { protocol, hostname } = new URL(value);
  return (protocol === "https:" || protocol === "http:") && hostname !== "";
}
