import type { APIRequestContext } from "@playwright/test";
import { mutate, query } from "./api";
import type { Upstream } from "./upstream";

/** Ids of one thing of each kind, so that every page has something to show. */
export type Sample = {
  sourceId: string;
  feedId: string;
  documentId: string;
  runId: string;
  apiFeedId: string;
  webhookId: string;
  /** Of its log. */
  deliveryId: string;
};

/** A followed site, a program that pushes, one failing feed: a workspace as it looks in use. */
export async function fillWorkspace(
  request: APIRequestContext,
  url: string,
  upstream: Upstream,
): Promise<Sample> {
  upstream.items = Array.from({ length: 12 }, (_, index) => ({
    id: `tide-${index + 1}`,
    title: `Tide table ${index + 1}: high water at ${String((index * 2) % 24).padStart(2, "0")}:40`,
    html: `<p>High water, low water and the <a href="/method">method</a>.</p><ul><li>06:12 5.1 m</li><li>12:30 0.9 m</li></ul>`,
    date: `2026-06-${String(index + 1).padStart(2, "0")}T09:00:00Z`,
  }));
  const source = await mutate<{ id: string }>(request, url, "sources.create", {
    type: "rss",
    name: "Harbour office",
    feeds: [{ externalKey: `${upstream.url}/feed.xml` }],
  });
  const feedId = await onlyFeed(request, url, source.id);
  await mutate(request, url, "feeds.sync", { feedId, wait: 30 });

  const failing = await mutate<{ id: string }>(request, url, "sources.create", {
    type: "rss",
    name: "Lighthouse notices",
    feeds: [{ externalKey: `${upstream.url}/missing.xml`, name: "Notices to mariners" }],
  });
  await mutate(request, url, "feeds.sync", { feedId: await onlyFeed(request, url, failing.id), wait: 30 });

  const api = await mutate<{ id: string }>(request, url, "sources.create", {
    type: "api",
    name: "Sensor readings",
    feeds: [{ externalKey: "default", name: "Buoy 7" }],
  });
  const apiFeedId = await onlyFeed(request, url, api.id);
  await mutate(request, url, "ingest.documents", {
    feedId: apiFeedId,
    cursor: "2026-06-14T09:00:00Z",
    documents: [
      { id: "r-1", version: "1", title: "Reading 1", text: "4.2 m", metadata: { unit: "m" } },
      { id: "r-2", version: "1", title: "Reading 2", text: "4.4 m" },
      { id: "r-3", version: "not a version", title: "Reading 3" },
    ],
  });
  const paused = await mutate<{ id: string }>(request, url, "sources.create", {
    type: "api",
    name: "Old archive",
  });
  await mutate(request, url, "sources.pause", { sourceId: paused.id });
  await mutate(request, url, "tokens.create", {
    name: "Buoy 7",
    scopes: ["documents:write"],
    expiresInDays: 90,
  });

  const { id: webhookId } = await mutate<{ id: string }>(request, url, "webhooks.create", {
    url: `${upstream.url}/`,
    description: "Pager of the harbour",
    events: ["run.failed", "feed.paused"],
  });
  const { id: deliveryId } = await mutate<{ id: string }>(request, url, "webhooks.test", { webhookId });

  const documents = await query<{ items: { id: string }[] }>(request, url, "documents.list", { feedId });
  const runs = await query<{ items: { id: string }[] }>(request, url, "runs.list", { feedId });
  const [document] = documents.items;
  const [run] = runs.items;
  if (!document || !run) throw new Error("the sample's first sync brought nothing");
  const ids = { sourceId: source.id, feedId, documentId: document.id, runId: run.id, apiFeedId };
  return { ...ids, webhookId, deliveryId };
}

export async function onlyFeed(request: APIRequestContext, url: string, sourceId: string): Promise<string> {
  const feeds = await query<{ items: { id: string }[] }>(request, url, "feeds.list", { sourceId });
  const [feed] = feeds.items;
  if (!feed) throw new Error("the source has no feed");
  return feed.id;
}
