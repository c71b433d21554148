import type { DeliveryType, WebhookEventType } from "@/server/webhooks/choices";

/** What each event tells, for whoever chooses. */
export const EVENT_WORDS: Record<WebhookEventType, string> = {
  "run.failed": "A sync run failed or was abandoned",
  "run.recovered": "A feed’s run succeeded after failures",
  "feed.paused": "A feed was paused, by a person or after failing for days",
  "feed.rate_limited": "An upstream asked a feed to wait",
  "deletes.held": "A listing lacks so much that a person has to confirm",
  "changes.available": "The change feed moved; at most one in 5 seconds",
};

export const EVENTS = Object.keys(EVENT_WORDS) as WebhookEventType[];
export const DELIVERY_TYPES: DeliveryType[] = [...EVENTS, "webhook.test"];

/** What somebody wants to hear of first. */
export const USUAL_EVENTS: readonly WebhookEventType[] = ["run.failed", "run.recovered", "deletes.held"];
