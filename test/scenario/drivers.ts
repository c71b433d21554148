import { createTRPCClient, httpLink } from "@trpc/client";
import superjson from "superjson";
import { z } from "zod";
import { defineAdapter } from "@/sdk/adapter";
import { runSync } from "@/sdk/run/run-sync";
import type { AppRouter } from "@/sdk/trpc/app-router";
import { GraphqlClient } from "../graphql-client";
import { type Driver, FEED, PAGES, type Pushed, pushStory, REST, SOURCE } from "./story";

/** One driver for each way in. All get a server's address and a token, nothing else. */
export type Access = { url: string; token: string };

export function restDriver({ url, token }: Access): Driver {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.detail}`);
    return answer;
  };
  return {
    ensureSource: async () => (await call("POST", "/sources", SOURCE)).id,
    ensureFeed: async (sourceId) => (await call("POST", `/sources/${sourceId}/feeds`, FEED)).id,
    async sync({ sourceId, feedId }, interfere) {
      const { runId, cursor } = await call("POST", `/feeds/${feedId}/runs`, {});
      await call("POST", `/runs/${runId}/heartbeat`);
      const push: Parameters<typeof pushStory>[1] = (page, cursorBefore) =>
        call("POST", `/feeds/${feedId}/documents`, { ...page, sourceId, cursorBefore, runId });
      await pushStory(cursor, push, interfere);
      await call("POST", `/runs/${runId}/finish`, { status: "succeeded" });
    },
    async readBack(feedId) {
      const { cursor, documentCount } = await call("GET", `/feeds/${feedId}`);
      const { items } = await call("GET", `/feeds/${feedId}/documents`);
      return {
        cursor,
        documentCount,
        ids: items.map(({ externalId }: { externalId: string }) => externalId),
      };
    },
  };
}

export function graphqlDriver({ url, token }: Access): Driver {
  const client = new GraphqlClient(`${url}/api/graphql`, token);
  const ask = async (query: string, variables: Record<string, unknown>) => {
    const { data, errors } = await client.ask(query, variables);
    if (errors.length > 0) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`);
    return Object.values(data)[0] as never;
  };
  return {
    async ensureSource() {
      const { id }: { id: string } = await ask(
        "mutation ($type: String!, $name: String!, $key: String) { createSource(type: $type, name: $name, key: $key) { id } }",
        SOURCE,
      );
      return id;
    },
    async ensureFeed(sourceId) {
      const { id }: { id: string } = await ask(
        `mutation ($sourceId: ID!, $externalKey: String!, $name: String) {
          addFeed(sourceId: $sourceId, externalKey: $externalKey, name: $name, watermark: ${FEED.watermark}) { id } }`,
        { sourceId, externalKey: FEED.externalKey, name: FEED.name },
      );
      return id;
    },
    async sync({ sourceId, feedId }, interfere) {
      const started: { runId: string; cursor: string | null } = await ask(
        "mutation ($feedId: ID!) { startSyncRun(feedId: $feedId) { runId cursor } }",
        { feedId },
      );
      const { runId } = started;
      await ask("mutation ($runId: ID!) { heartbeatSyncRun(runId: $runId) { leaseExpiresAt } }", { runId });
      const push: Parameters<typeof pushStory>[1] = (page, cursorBefore): Promise<Pushed> =>
        ask(
          `mutation ($sourceId: ID, $feedId: ID!, $documents: [DocumentInput!]!, $cursor: Cursor, $cursorBefore: Cursor, $runId: ID) {
            ingestDocuments(sourceId: $sourceId, feedId: $feedId, documents: $documents, cursor: $cursor,
                            cursorBefore: $cursorBefore, runId: $runId) { cursor cursorOutcome conflict } }`,
          { ...page, sourceId, feedId, cursorBefore, runId },
        );
      await pushStory(started.cursor, push, interfere);
      await ask("mutation ($runId: ID!) { finishSyncRun(runId: $runId, status: succeeded) { id } }", {
        runId,
      });
    },
    async readBack(feedId) {
      const feed: { cursor: string | null; documentCount: number } = await ask(
        "query ($feedId: ID!) { feed(id: $feedId) { cursor documentCount } }",
        { feedId },
      );
      const { items }: { items: { externalId: string }[] } = await ask(
        "query ($feedId: ID!) { documents(feedId: $feedId) { items { externalId } } }",
        { feedId },
      );
      return { ...feed, ids: items.map(({ externalId }) => externalId) };
    },
  };
}

export function trpcDriver({ url, token }: Access): Driver {
  const api = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/api/trpc`,
        transformer: superjson,
        headers: { authorization: `Bearer ${token}` },
      }),
    ],
  });
  return {
    ensureSource: async () => (await api.sources.create.mutate(SOURCE)).id,
    ensureFeed: async (sourceId) => (await api.feeds.add.mutate({ ...FEED, sourceId })).id,
    async sync({ sourceId, feedId }, interfere) {
      const { runId, cursor } = await api.runs.start.mutate({ feedId });
      await api.runs.heartbeat.mutate({ runId });
      const push: Parameters<typeof pushStory>[1] = (page, cursorBefore) =>
        api.ingest.documents.mutate({ ...page, sourceId, feedId, cursorBefore, runId });
      await pushStory(cursor, push, interfere);
      await api.runs.finish.mutate({ runId, status: "succeeded" });
    },
    async readBack(feedId) {
      const { cursor, documentCount } = await api.feeds.get.query({ feedId });
      const { items } = await api.documents.list.query({ feedId });
      return { cursor, documentCount, ids: items.map(({ externalId }) => externalId ?? "") };
    },
  };
}

/** Connects by REST, which is what programs in any language do, and syncs with an adapter. */
export function sdkDriver(access: Access): Driver {
  return {
    ...restDriver(access),
    async sync({ feedId }, interfere) {
      const adapter = defineAdapter({
        type: "story",
        name: "Story",
        description: "Tells the scenario's pages",
        watermark: FEED.watermark,
        auth: ["none"],
        config: z.object({}),
        runsOn: ["agent"],
        externalKey: "anything",
        async *sync({ cursor }) {
          const pages = cursor.type === "none" ? PAGES : [REST];
          for (const [n, page] of pages.entries()) {
            if (n === 2) await interfere();
            yield { documents: page.documents, cursor: { type: "idSet", high: page.cursor, recent: [] } };
          }
        },
      });
      await runSync({ adapter, feed: feedId, client: access });
    },
  };
}
