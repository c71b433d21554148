import type { Caller } from "@/server/actor";
import type { Tx } from "@/server/db";
import { newId } from "@/server/ids";
import type { DeliveryType } from "./choices";
import { describeEvent, type FeedNames, type WebhookEvent, writeBody } from "./events";

/** How long a delivery is tried. */
export const DELIVERY_WINDOW_MS = 24 * 3600 * 1000;
/** Payloads name feeds for people; a title of kilobytes would not help them. */
const MAX_NAME = 200;

/**
 * Writes an event for every endpoint that wants it, in the transaction of what it tells: no event without
 * what happened, and none lost by a crash. Sends nothing. A workspace without endpoints pays for one
 * look at an empty index range.
 */
export async function recordEvent(
  tx: Tx,
  { workspaceId }: Pick<Caller, "workspaceId">,
  event: WebhookEvent,
): Promise<void> {
  // Raw for the lock: an endpoint that is being deleted must not make this transaction fail.
  const endpoints = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM webhook_endpoints
     WHERE workspace_id = ${workspaceId}::int AND state = 'enabled' AND ${event.type} = ANY(events)
     ORDER BY id
       FOR KEY SHARE`;
  if (endpoints.length === 0) return;
  const names =
    event.feedId === null
      ? await readSourceName(tx, workspaceId, event.sourceId)
      : await readNames(tx, workspaceId, event.feedId);
  const body = writeBody(event.type, new Date(), describeEvent(event, names));
  const ids = endpoints.map(({ id }) => id);
  await addDeliveries(tx, workspaceId, ids, { type: event.type, body });
}

/** One delivery per endpoint, due at once. @returns their ids. */
export async function addDeliveries(
  tx: Tx,
  workspaceId: number,
  endpointIds: readonly string[],
  { type, body, windowMs = DELIVERY_WINDOW_MS }: { type: DeliveryType; body: string; windowMs?: number },
): Promise<string[]> {
  const ids = endpointIds.map(() => newId("dlv"));
  // Raw: times are the database's, which the claims compare them with.
  await tx.$executeRaw`
    INSERT INTO webhook_deliveries (workspace_id, id, endpoint_id, type, body, next_attempt_at, give_up_at, created_at)
    SELECT ${workspaceId}::int, n.id, n.endpoint_id, ${type}, ${body}, t.now,
           t.now + make_interval(secs => ${windowMs / 1000}::float8), t.now
      FROM unnest(${ids}::text[], ${[...endpointIds]}::text[]) AS n(id, endpoint_id),
           (SELECT clock_timestamp() AS now) AS t`;
  return ids;
}

async function readNames(tx: Tx, workspaceId: number, feedId: string): Promise<FeedNames> {
  const feed = await tx.feed.findUnique({
    where: { workspaceId_id: { workspaceId, id: feedId } },
    select: {
      sourceId: true,
      name: true,
      upstreamTitle: true,
      externalKey: true,
      source: { select: { name: true } },
    },
  });
  return {
    sourceId: feed?.sourceId ?? "",
    feedName: (feed?.name ?? feed?.upstreamTitle ?? feed?.externalKey ?? feedId).slice(0, MAX_NAME),
    sourceName: (feed?.source.name ?? "").slice(0, MAX_NAME),
  };
}

async function readSourceName(tx: Tx, workspaceId: number, sourceId: string): Promise<FeedNames> {
  const source = await tx.source.findUnique({
    where: { workspaceId_id: { workspaceId, id: sourceId } },
    select: { name: true },
  });
  return { sourceId, feedName: null, sourceName: (source?.name ?? "").slice(0, MAX_NAME) };
}
