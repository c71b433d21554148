import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { EXAMPLE_IDS, type Given } from "@/server/rest/reference/notes";
import { createCaller } from "./factories";
import { type Answer, RestClient } from "./rest-client";

/** Ids that newId hands out next, by prefix: the test's mock of server/ids.ts takes them from here. */
export type NextIds = Map<string, string[]>;

export type ExampleWorkspace = { caller: Caller; api: RestClient };

/**
 * The workspace that the examples of openapi.json are about, under their ids, made anew for each of them.
 *
 * @param nextIds Where the test's mock of newId takes ids from; without one the ids are new.
 * @param upstream A server on loopback that answers feeds and webhooks.
 */
export async function makeExampleWorkspace(
  db: Db,
  nextIds: NextIds,
  upstream: string,
  given: readonly Given[] = [],
): Promise<ExampleWorkspace> {
  const caller = await createCaller(db);
  const api = await RestClient.create(db, caller);
  const give = (...ids: string[]) => {
    for (const id of ids)
      nextIds.set(id.split("_")[0] ?? "", [...(nextIds.get(id.split("_")[0] ?? "") ?? []), id]);
  };
  const expectDone = async (doing: Promise<Answer>) => {
    const { status, body } = await doing;
    if (status >= 300) throw new Error(`the workspace could not be made: ${JSON.stringify(body)}`);
    nextIds.clear();
    return body;
  };
  give(EXAMPLE_IDS.sourceId, EXAMPLE_IDS.feedId);
  const feeds = [{ externalKey: "default", watermark: "date" }];
  const notes = await expectDone(api.post("/sources", { type: "api", name: "Notes", key: "notes", feeds }));
  const feedId: string = notes.feeds[0].id; // the example's, where newId is mocked
  give(EXAMPLE_IDS.siteId, EXAMPLE_IDS.siteFeedId);
  const siteFeeds = [{ externalKey: `${upstream}/tides.xml` }];
  await expectDone(api.post("/sources", { type: "rss", name: "Harbour", config: {}, feeds: siteFeeds }));
  give(EXAMPLE_IDS.rejectionId);
  await expectDone(
    api.post(`/feeds/${feedId}/documents`, {
      cursor: "2026-06-14T09:00:00Z",
      documents: [
        { id: "a-17", version: "3", title: "Ebb", text: "The sea went out.", date: "2026-06-14T08:59:00Z" },
        { id: "a-04", version: "9", deleted: true },
        { id: "a-19", title: "Slack water", date: "last Tuesday" },
      ],
    }),
  );
  give(EXAMPLE_IDS.webhookId);
  const webhook = { url: `${upstream}/tidemark`, events: ["run.failed"], description: "Pager" };
  const { id: webhookId } = await expectDone(api.post("/webhooks", webhook));
  give(EXAMPLE_IDS.deliveryId);
  await expectDone(api.post(`/webhooks/${webhookId}/test`));
  if (given.includes("run")) {
    give(EXAMPLE_IDS.runId);
    await expectDone(api.post(`/feeds/${EXAMPLE_IDS.feedId}/runs`, {}));
  }
  if (given.includes("paused")) await expectDone(api.post(`/feeds/${EXAMPLE_IDS.feedId}/pause`));
  if (given.includes("pausedSource")) await expectDone(api.post(`/sources/${EXAMPLE_IDS.sourceId}/pause`));
  if (given.includes("hold")) await holdDelete(db, caller);
  return { caller, api };
}

async function holdDelete(db: Db, { workspaceId }: Caller): Promise<void> {
  const run = await db.syncRun.findFirstOrThrow({ where: { workspaceId, feedId: EXAMPLE_IDS.feedId } });
  const document = await db.document.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: EXAMPLE_IDS.documentId } },
  });
  const { holdId, feedId } = EXAMPLE_IDS;
  const reason = "The listing would delete every document.";
  await db.heldDelete.create({
    data: { workspaceId, id: holdId, feedId, runId: run.id, count: 1, sample: ["a-17"], reason },
  });
  await db.heldDeleteItem.create({
    data: { workspaceId, holdId, documentId: document.id, seq: document.seq ?? 0n },
  });
}
