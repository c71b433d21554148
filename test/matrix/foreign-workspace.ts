import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { newId } from "@/server/ids";
import { invite } from "@/server/people/invite";
import { createCaller, createFeed } from "../factories";
import { RestClient } from "../rest-client";

/** Stands in every text of the other workspace; no answer to anyone else may hold it. */
export const MARK = "of-another-workspace";

/** What an operation may name. */
export type Ids = Record<
  | "sourceId"
  | "feedId"
  | "documentId"
  | "runId"
  | "holdId"
  | "rejectionId"
  | "transitionId"
  | "tokenId"
  | "userId"
  | "invitationId"
  | "webhookId"
  | "deliveryId",
  string
>;

/** Ids that nobody has. */
export const NOBODYS: Ids = {
  sourceId: "src_01jz0000000000000000000000",
  feedId: "feed_01jz0000000000000000000000",
  documentId: "doc_01jz0000000000000000000000",
  runId: "run_01jz0000000000000000000000",
  holdId: "hold_01jz0000000000000000000000",
  rejectionId: "rej_01jz0000000000000000000000",
  transitionId: "ctr_01jz0000000000000000000000",
  tokenId: "tok_01jz0000000000000000000000",
  userId: "usr_01jz0000000000000000000000",
  invitationId: "inv_01jz0000000000000000000000",
  webhookId: "whk_01jz0000000000000000000000",
  deliveryId: "dlv_01jz0000000000000000000000",
};

/** A workspace of somebody else with one of everything, a run in progress included. */
export async function createForeignWorkspace(db: Db): Promise<{ workspaceId: number; ids: Ids }> {
  const caller = await createCaller(db);
  const { workspaceId } = caller;
  await db.workspace.update({ where: { id: workspaceId }, data: { name: MARK } });
  const api = await RestClient.create(db, caller);
  const feed = await createFeed(db, caller, { watermark: "idSet", externalKey: MARK });
  await db.source.updateMany({ where: { workspaceId }, data: { name: MARK } });
  const pushed = await api.post(`/feeds/${feed.id}/documents`, {
    documents: [
      { id: MARK, title: MARK, text: MARK },
      { id: 7.5, title: MARK },
    ],
    cursor: "5",
    cursorBefore: null,
  });
  if (pushed.status !== 200) throw new Error(`the other workspace could not be made: ${pushed.body.detail}`);
  const { runId } = (await api.post(`/feeds/${feed.id}/runs`)).body;
  await api.get(`/changes?consumer=${MARK}`);
  const where = { workspaceId };
  const document = await db.document.findFirstOrThrow({ where });
  const rejection = await db.rejectedDocument.findFirstOrThrow({ where });
  const transition = await db.cursorTransition.findFirstOrThrow({ where });
  const holdId = newId("hold");
  await db.heldDelete.create({
    data: { workspaceId, id: holdId, feedId: feed.id, runId, count: 1, sample: [MARK], reason: MARK },
  });
  const webhook = await api.post("/webhooks", {
    url: "https://hooks.example.org/x",
    events: ["run.failed"],
    description: MARK,
  });
  if (webhook.status !== 201) throw new Error(`no endpoint could be made: ${JSON.stringify(webhook.body)}`);
  const endpoint = await db.webhookEndpoint.findFirstOrThrow({ where });
  const userId = newId("usr");
  await db.user.create({ data: { id: userId, email: `${MARK}@example.org`, name: MARK } });
  await db.membership.create({ data: { workspaceId, userId, role: "owner" } });
  const owner: Caller = { workspaceId, actor: { type: "user", id: userId, name: MARK } };
  const invitation = await invite(db, owner, { email: `invited-${MARK}@example.org`, role: "viewer" });
  const token = await createToken(db, caller, { name: MARK, scopes: ["sources:read"] });
  return {
    workspaceId,
    ids: {
      sourceId: feed.sourceId,
      feedId: feed.id,
      documentId: document.id,
      runId,
      holdId,
      rejectionId: rejection.id,
      transitionId: transition.id,
      tokenId: token.id,
      userId,
      invitationId: invitation.id,
      webhookId: endpoint.id,
      deliveryId: NOBODYS.deliveryId,
    },
  };
}

/** Everything a workspace holds, to compare before and after. */
export async function readAll(db: Db, workspaceId: number) {
  const where = { workspaceId };
  const byId = { where, orderBy: { id: "asc" } } as const;
  return {
    workspace: await db.workspace.findFirst({ where: { id: workspaceId } }),
    sources: await db.source.findMany(byId),
    feeds: await db.feed.findMany(byId),
    documents: await db.document.findMany(byId),
    runs: await db.syncRun.findMany(byId),
    events: await db.runEvent.count({ where }),
    holds: await db.heldDelete.findMany(byId),
    rejections: await db.rejectedDocument.findMany(byId),
    transitions: await db.cursorTransition.findMany(byId),
    tokens: (await db.apiToken.findMany(byId)).map(({ lastUsedAt: _, ...token }) => token),
    endpoints: await db.webhookEndpoint.findMany(byId),
    deliveries: await db.webhookDelivery.count({ where }),
    consumers: await db.consumer.findMany({ where }),
    people: await db.membership.findMany({ where, orderBy: { userId: "asc" }, include: { user: true } }),
    invitations: await db.invitation.findMany(byId),
    audit: await db.auditEntry.count({ where }),
  };
}
