import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { decodeAfter, limitOf, type Page, type PageInput, toPage } from "@/server/paging";
import { type ApiEndpoint, endpointSelect, toEndpoint } from "./endpoint-shape";

export type ByEndpoint = { webhookId: string };

/** What changes need to know of an endpoint, under its lock. */
export type LockedEndpoint = {
  id: string;
  url: string;
  description: string;
  events: string[];
  state: "enabled" | "disabled";
  credentialId: string;
};

/** Locks an endpoint's row. @throws AppError not_found */
export async function lockEndpoint(
  tx: Tx,
  { workspaceId }: Caller,
  { webhookId }: ByEndpoint,
): Promise<LockedEndpoint> {
  // Raw because Prisma has no FOR UPDATE. Not a key's lock: events are written meanwhile.
  const [row] = await tx.$queryRaw<LockedEndpoint[]>`
    SELECT id, url, description, events, state, credential_id AS "credentialId"
      FROM webhook_endpoints
     WHERE workspace_id = ${workspaceId}::int AND id = ${webhookId}
       FOR NO KEY UPDATE`;
  if (!row) throw noSuchEndpoint();
  return row;
}

/** @throws AppError not_found */
export async function getEndpoint(
  db: Db | Tx,
  { workspaceId }: Pick<Caller, "workspaceId">,
  { webhookId }: ByEndpoint,
): Promise<ApiEndpoint> {
  const row = await db.webhookEndpoint.findUnique({
    where: { workspaceId_id: { workspaceId, id: webhookId } },
    select: endpointSelect,
  });
  if (!row) throw noSuchEndpoint();
  return toEndpoint(row, new Date());
}

/** Every endpoint of the workspace, newest first: there are few. */
export async function listEndpoints(
  db: Db,
  { workspaceId }: Pick<Caller, "workspaceId">,
): Promise<ApiEndpoint[]> {
  const rows = await db.webhookEndpoint.findMany({
    where: { workspaceId },
    orderBy: { id: "desc" },
    select: endpointSelect,
  });
  const now = new Date();
  return rows.map((row) => toEndpoint(row, now));
}

/** The same as a list like any other. */
export async function pageEndpoints(
  db: Db,
  caller: Pick<Caller, "workspaceId">,
  input: PageInput,
): Promise<Page<ApiEndpoint>> {
  const after = decodeAfter("webhooks", input.after);
  const all = await listEndpoints(db, caller);
  return toPage(after === null ? all : all.filter(({ id }) => id < after), {
    list: "webhooks",
    limit: limitOf(input),
    positionOf: ({ id }) => id,
    map: (endpoint) => endpoint,
  });
}

export function noSuchEndpoint(): AppError {
  return new AppError("not_found", "There is no such webhook in this workspace.");
}
