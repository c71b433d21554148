import type { z } from "zod";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { decodeAfter, limitOf, type Page, toPage } from "@/server/paging";
import {
  type ApiDelivery,
  type ApiDeliveryWithAttempts,
  deliverySelect,
  toDelivery,
  toDeliveryWithAttempts,
} from "./delivery-shape";
import { getEndpoint } from "./endpoints";
import type { listDeliveriesInput } from "./schema";

const LIST = "webhook-deliveries";

export type ByDelivery = { webhookId: string; deliveryId: string };

/** An endpoint's log, newest first. @throws AppError not_found; invalid_request for a foreign `after`. */
export async function listDeliveries(
  db: Db,
  caller: Pick<Caller, "workspaceId">,
  { webhookId, status, type, ...page }: z.output<typeof listDeliveriesInput>,
): Promise<Page<ApiDelivery>> {
  const before = decodeAfter(LIST, page.after);
  const limit = limitOf(page);
  await getEndpoint(db, caller, { webhookId });
  const rows = await db.webhookDelivery.findMany({
    where: {
      workspaceId: caller.workspaceId,
      endpointId: webhookId,
      state: status,
      type,
      ...(before !== null && { id: { lt: before } }),
    },
    orderBy: { id: "desc" },
    take: limit + 1,
    select: deliverySelect,
  });
  const now = new Date();
  return toPage(rows, { list: LIST, limit, positionOf: ({ id }) => id, map: (row) => toDelivery(row, now) });
}

/** One of them, with what was sent and every attempt. @throws AppError not_found */
export async function getDelivery(
  db: Db,
  { workspaceId }: Pick<Caller, "workspaceId">,
  { webhookId, deliveryId }: ByDelivery,
): Promise<ApiDeliveryWithAttempts> {
  const row = await db.webhookDelivery.findFirst({
    where: { workspaceId, id: deliveryId, endpointId: webhookId },
    select: { ...deliverySelect, body: true },
  });
  if (!row) throw noSuchDelivery();
  return toDeliveryWithAttempts(row, new Date());
}

export function noSuchDelivery(): AppError {
  return new AppError(
    "not_found",
    "There is no such delivery of this webhook. Old ones are deleted after 30 days.",
  );
}
