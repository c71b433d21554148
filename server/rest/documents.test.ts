import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { documentWithTextSchema } from "./schemas";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

const push = (feedId: string, body: object) => api.post(`/feeds/${feedId}/documents`, body);

describe("documents", () => {
  it("are listed without text, each once, tombstones apart; one alone has its text", async () => {
    const feed = await createFeed(t.db, caller);
    const documents = Array.from({ length: 7 }, (_, i) => ({
      id: `n${i}`,
      title: `T${i}`,
      text: `Text ${i}`,
      metadata: { i },
      date: "2026-06-14T08:59:00+02:00",
    }));
    await push(feed.id, { documents });
    await push(feed.id, { documents: [{ id: "n3", deleted: true }] });
    const seen: string[] = [];
    let after = "";
    do {
      const { body } = await api.get(`/feeds/${feed.id}/documents?limit=2${after && `&after=${after}`}`);
      for (const item of body.items) expect(item).not.toHaveProperty("text");
      seen.push(...body.items.map((item: { externalId: string }) => item.externalId));
      after = body.nextAfter ?? "";
    } while (after);
    expect(seen).toEqual(["n0", "n1", "n2", "n4", "n5", "n6"]);
    const newest = (await api.get(`/feeds/${feed.id}/documents?order=newest&limit=1`)).body;
    expect(newest.items[0].externalId).toBe("n6");
    const gone = (await api.get(`/feeds/${feed.id}/documents?deleted=true`)).body.items;
    expect(gone).toMatchObject([{ externalId: "n3", deleted: true, title: null, metadata: {} }]);

    const one = (await api.get(`/feeds/${feed.id}/documents/by-external-id?id=n1`)).body;
    documentWithTextSchema.parse(one);
    expect(one).toMatchObject({
      feedId: feed.id,
      sourceId: feed.sourceId,
      version: null,
      title: "T1",
      text: "Text 1",
      metadata: { i: 1 },
      date: "2026-06-14T06:59:00.000Z",
      deleted: false,
    });
    expect((await api.get(`/documents/${one.id}`)).body).toEqual(one);
    expect((await api.get(`/documents/${gone[0].id}`)).body).toMatchObject({ deleted: true, text: null });
    expect(await api.get(`/feeds/${feed.id}/documents/by-external-id?id=n3`)).toMatchObject({
      status: 410,
      body: { code: "document_deleted" },
    });
    expect(await api.get(`/feeds/${feed.id}/documents/by-external-id?id=N1`)).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect((await api.get(`/feeds/${feed.id}/documents/by-external-id`)).status).toBe(422);
    expect((await api.get(`/feeds/${feed.id}/documents/by-external-id?id=a%00b`)).status).toBe(404);
  });

  it("are found by the published id, and under the other scheme only where an adapter folds", async () => {
    const pushed = await createFeed(t.db, caller);
    const synced = await createFeed(t.db, caller, { watermark: "date" }, { type: "rss", runsOn: "cloud" });
    const find = async (feedId: string, id: string) => {
      const answer = await api.get(`/feeds/${feedId}/documents/by-external-id?id=${encodeURIComponent(id)}`);
      return answer.status === 200 ? answer.body.externalId : answer.status;
    };
    const http = "http://example.org/a";
    const https = "https://example.org/a";
    await push(pushed.id, { documents: [{ id: https }] });
    expect([await find(pushed.id, https), await find(pushed.id, http)]).toEqual([https, 404]);
    await push(pushed.id, { documents: [{ id: http, title: "another document" }] });
    expect([await find(pushed.id, https), await find(pushed.id, http)]).toEqual([https, http]);

    const sync = (documents: object[]) =>
      ingestDocuments(t.db, caller, { feedId: synced.id, documents, fromAdapter: true });
    await sync([{ id: http, key: https }]);
    expect([await find(synced.id, http), await find(synced.id, https)]).toEqual([http, http]);
    await sync([{ id: https, key: https, title: "moved" }]);
    expect([await find(synced.id, http), await find(synced.id, https)]).toEqual([https, https]);
    expect(await find(synced.id, "http://example.org/A")).toBe(404);
  });

  it("that were purged are nowhere", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: [{ id: "x", version: "1" }] });
    const document = (await api.get(`/feeds/${feed.id}/documents/by-external-id?id=x`)).body;
    await push(feed.id, { documents: [{ id: "x", version: "2", deleted: true }] });
    await t.db.document.updateMany({
      where: { id: document.id },
      data: { state: "grave", seq: null, externalId: null, key: null },
    });
    expect((await api.get(`/documents/${document.id}`)).status).toBe(404);
    expect((await api.get(`/feeds/${feed.id}/documents/by-external-id?id=x`)).status).toBe(404);
    expect((await api.get(`/feeds/${feed.id}/documents?deleted=true`)).body.items).toEqual([]);
  });
});
