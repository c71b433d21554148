import type { Prisma } from "@/server/db";
import type { DisabledBy, EndpointState, WebhookEventType } from "./choices";

/** An endpoint on the wire. Its secret is in the answers that make one, and never again. */
export type ApiEndpoint = {
  id: string;
  /** Secrets masked. */
  url: string;
  description: string;
  events: WebhookEventType[];
  status: EndpointState;
  disabledBy: DisabledBy | null;
  /** For people: what happened. */
  disabledReason: string | null;
  disabledAt: string | null;
  /** Since when no attempt has got through. */
  failingSince: string | null;
  /** Attempts that failed in a row. */
  consecutiveFailures: number;
  lastSuccessAt: string | null;
  /** Nothing is sent before: it asked to be left alone (Retry-After). */
  waitsUntil: string | null;
  /** Until then deliveries are signed with the secret before, too. */
  overlapUntil: string | null;
  createdAt: string;
  updatedAt: string;
};

export type EndpointWithSecret = ApiEndpoint & {
  /** `whsec_…`, shown this once. */
  secret: string;
};

export const endpointSelect = {
  id: true,
  url: true,
  description: true,
  events: true,
  state: true,
  disabledBy: true,
  disabledReason: true,
  disabledAt: true,
  failingSince: true,
  consecutiveFailures: true,
  lastSuccessAt: true,
  waitsUntil: true,
  overlapUntil: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.WebhookEndpointSelect;

type EndpointRow = Prisma.WebhookEndpointGetPayload<{ select: typeof endpointSelect }>;

export function toEndpoint(row: EndpointRow, now: Date): ApiEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events as WebhookEventType[],
    status: row.state as EndpointState,
    disabledBy: row.disabledBy as DisabledBy | null,
    disabledReason: row.disabledReason,
    disabledAt: iso(row.disabledAt),
    failingSince: iso(row.failingSince),
    consecutiveFailures: row.consecutiveFailures,
    lastSuccessAt: iso(row.lastSuccessAt),
    waitsUntil: isoAhead(row.waitsUntil, now),
    overlapUntil: isoAhead(row.overlapUntil, now),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function iso(date: Date | null): string | null {
  return date ? date.toISOString() : null;
}

/** What has passed holds no more, although the column still says it. */
function isoAhead(date: Date | null, now: Date): string | null {
  return date && date > now ? date.toISOString() : null;
}
