import { z } from "@hono/zod-openapi";
import { addFeed } from "@/server/feeds/add-feed";
import { FEED_STATUSES } from "@/server/feeds/choices";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { getFeed } from "@/server/feeds/get-feed";
import { listFeeds } from "@/server/feeds/list-feeds";
import { pauseFeed } from "@/server/feeds/pause-feed";
import { resumeFeed } from "@/server/feeds/resume-feed";
import { ensureFeedInput, updateFeedInput } from "@/server/feeds/schema";
import { syncFeed } from "@/server/feeds/sync-feed";
import { updateFeed } from "@/server/feeds/update-feed";
import { defineRoute } from "../define-route";
import { pageQuery, queryInt } from "../query";
import { feedSchema, pageOf, syncAnswerSchema, syncedRunSchema } from "../schemas";

const tag = "Feeds";
const feed = { description: "The feed", schema: feedSchema };

/** As long as a proxy lets a request be idle, and no longer. */
const MAX_WAIT_SECONDS = 55;

export const feedRoutes = [
  defineRoute({
    method: "get",
    path: "/sources/{sourceId}/feeds",
    scope: "sources:read",
    tag,
    summary: "List the feeds of a source",
    query: z.object({ status: z.enum(FEED_STATUSES).optional(), ...pageQuery }),
    responses: { 200: { description: "A page of feeds", schema: pageOf(feedSchema) } },
    run: async ({ db, caller, params, query }) => ({
      status: 200,
      body: await listFeeds(db, caller, { ...query, ...params }),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/sources/{sourceId}/feeds",
    scope: "sources:write",
    tag,
    summary: "Ensure a feed by its externalKey",
    description:
      "An existing feed is returned as it is. Secrets in a URL go into the vault; `externalKey` is then the masked URL.",
    body: ensureFeedInput,
    responses: { 201: { ...feed, description: "Created" }, 200: { ...feed, description: "It was there" } },
    run: async ({ db, caller, params, body }) => {
      const { feed, created } = await addFeed(db, caller, { ...body, ...params });
      return { status: created ? 201 : 200, body: feed };
    },
  }),
  defineRoute({
    method: "get",
    path: "/feeds/{feedId}",
    scope: "sources:read",
    tag,
    summary: "Get a feed",
    responses: { 200: feed },
    run: async ({ db, caller, params }) => ({ status: 200, body: await getFeed(db, caller, params) }),
  }),
  defineRoute({
    method: "patch",
    path: "/feeds/{feedId}",
    scope: "sources:write",
    tag,
    summary: "Change a feed",
    body: updateFeedInput,
    responses: { 200: feed },
    run: async ({ db, caller, params, body }) => ({
      status: 200,
      body: await updateFeed(db, caller, { ...body, ...params }),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/feeds/{feedId}",
    scope: "sources:write",
    tag,
    summary: "Delete a feed",
    description:
      "Every document becomes a tombstone in the change feed. `externalKey` is free again at once.",
    responses: { 204: { description: "Done" }, 202: { ...feed, description: "Goes on in the background" } },
    run: async ({ db, caller, params }) => {
      const left = await deleteFeed(db, caller, params);
      return left ? { status: 202, body: left } : { status: 204 };
    },
  }),
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/pause",
    scope: "sources:write",
    tag,
    summary: "Pause a feed",
    responses: { 200: feed },
    run: async ({ db, caller, params }) => ({ status: 200, body: await pauseFeed(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/resume",
    scope: "sources:write",
    tag,
    summary: "Resume a feed",
    responses: { 200: feed },
    run: async ({ db, caller, params }) => ({ status: 200, body: await resumeFeed(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/sync",
    scope: "runs:write",
    tag,
    summary: "Sync a feed now",
    description: "Joins a run in progress. With `wait` the answer comes when the run ended, with the run.",
    query: z.object({ wait: queryInt(0, MAX_WAIT_SECONDS).optional() }),
    responses: {
      202: { description: "Started, and not ended yet", schema: syncAnswerSchema },
      200: { description: "Ended while waiting: the run", schema: syncedRunSchema },
    },
    run: async ({ db, caller, params, query, signal }) => {
      const { run, ...started } = await syncFeed(db, caller, { ...params, wait: query.wait }, signal);
      return run ? { status: 200, body: { ...started, ...run } } : { status: 202, body: started };
    },
  }),
];
