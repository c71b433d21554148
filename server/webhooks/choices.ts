/** Browser-safe: what can be chosen, for schemas, pages and the OpenAPI document. */

/** What an endpoint may be told of. */
export const WEBHOOK_EVENTS = [
  "run.failed",
  "run.recovered",
  "feed.paused",
  "feed.rate_limited",
  "deletes.held",
  "changes.available",
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** Sent by the test button, whatever was chosen. */
export const TEST_EVENT = "webhook.test";
export type DeliveryType = WebhookEventType | typeof TEST_EVENT;
export const DELIVERY_TYPES = [...WEBHOOK_EVENTS, TEST_EVENT] as const;

export const ENDPOINT_STATES = ["enabled", "disabled"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** Who disabled it: a person, its own 410, or failing for days. */
export const DISABLED_BY = ["person", "gone", "failing"] as const;
export type DisabledBy = (typeof DISABLED_BY)[number];

export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** More would be a mistake in a loop, and every failed run asks all of them. */
export const MAX_ENDPOINTS = 20;
/** How long both secrets sign after a rotation, in seconds: a day unless told otherwise. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 7 * 86_400;
