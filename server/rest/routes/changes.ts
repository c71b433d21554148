import { z } from "@hono/zod-openapi";
import { getChangeHead } from "@/server/changes/get-change-head";
import { pullChanges } from "@/server/changes/pull-changes";
import {
  type ChangeHead,
  type ChangePage,
  consumerName,
  cursorText,
  DEFAULT_CHANGES,
  MAX_CHANGES,
  MAX_WAIT_SECONDS,
} from "@/server/changes/schema";
import { openChangeStream } from "@/server/changes/stream-changes";
import { idText } from "@/server/inputs";
import { defineRoute } from "../define-route";
import { queryBoolean, queryInt } from "../query";

const filter = {
  sourceId: idText.optional().meta({ description: "Only this source's changes; bound into the cursor" }),
  feedId: idText.optional().meta({ description: "Only this feed's changes; bound into the cursor" }),
};

const pullQuery = z.object({
  cursor: cursorText.optional().meta({
    description: "`cursor` of the page before, or `now`. Absent: from the beginning",
  }),
  limit: queryInt(1, MAX_CHANGES).optional().meta({ default: DEFAULT_CHANGES }),
  wait: queryInt(0, MAX_WAIT_SECONDS).optional().meta({
    description: "Seconds to hold the request while there is nothing to send",
  }),
  ...filter,
  text: queryBoolean.optional().meta({ description: "Also the documents' text" }),
  consumer: consumerName.optional().meta({
    description: "A name for this follower, under which the cursor it sends is shown to people",
  }),
});

/** The same parameters, so that one address serves both; a stream waits anyway. */
const streamQuery = pullQuery.extend({
  wait: queryInt(0, MAX_WAIT_SECONDS).optional().meta({ description: "Without effect: a stream waits" }),
});

const changeSchema = z
  .object({
    seq: z.string(),
    op: z.enum(["upsert", "delete"]),
    sourceId: z.string(),
    feedId: z.string(),
    documentId: z.string(),
    externalId: z.string(),
    version: z.string().nullable(),
    changedAt: z.iso.datetime(),
    document: z
      .object({
        title: z.string().nullable(),
        url: z.string().nullable(),
        author: z.string().nullable(),
        date: z.iso.datetime().nullable(),
        metadata: z.record(z.string(), z.unknown()),
        text: z.string().nullable().optional().meta({ description: "With `text=true`" }),
      })
      .nullable()
      .meta({ description: "Null for a delete" }),
  })
  .meta({ id: "Change" });

const pageSchema: z.ZodType<ChangePage> = z
  .object({ changes: z.array(changeSchema), cursor: z.string(), hasMore: z.boolean() })
  .meta({ id: "ChangePage" });

const headSchema: z.ZodType<ChangeHead> = z
  .object({
    head: z.string().meta({ description: "Highest committed seq of the workspace" }),
    safePoint: z.string().meta({ description: "Highest committed seq that may be served now" }),
    horizon: z.string().meta({ description: "Below it tombstones were purged; older cursors are expired" }),
    epoch: z.string(),
    cursor: z.string().meta({ description: "Follows from here, without a filter" }),
  })
  .meta({ id: "ChangeHead" });

const refusals = {
  400: { description: "`cursor_invalid` or `cursor_filter_mismatch`" },
  410: { description: "`cursor_expired`, with `reason` and `restart`: start again without a cursor" },
};

export const changeRoutes = [
  defineRoute({
    method: "get",
    path: "/changes",
    scope: "changes:read",
    tag: "Change feed",
    summary: "Changes after a cursor, in order",
    description:
      "Without a cursor, the whole of what is live, page by page. Keep `cursor` with what you applied; call again at once while `hasMore`, else with `wait`. On 410: keep the local copy, start without a cursor, and remove what the new walk did not bring once it is complete.",
    query: pullQuery,
    responses: { 200: { description: "A page; empty when nothing came", schema: pageSchema }, ...refusals },
    async run({ db, principal, caller, query, ...input }) {
      return { status: 200, json: await pullChanges(db, principal, caller, query, () => input.signal) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/changes/stream",
    scope: "changes:read",
    tag: "Change feed",
    summary: "The same as server-sent events",
    description:
      "`event: change` with one change as `data` and the cursor after it as `id`; a bare `id` moves the place on; `event: expired` means start again. `Last-Event-ID` overrides `cursor`; `Last-Event-ID: expired` is answered with 204, which ends reconnecting.",
    query: streamQuery,
    responses: {
      200: { description: "text/event-stream" },
      204: { description: "The cursor had expired" },
      400: refusals[400],
    },
    async run({ db, principal, caller, query, header, isHead }) {
      const lastEventId = header("last-event-id") || undefined;
      if (lastEventId === "expired") return { status: 204 };
      // Nobody would read it, and nobody would end it.
      if (isHead) return { status: 200, events: new ReadableStream({ start: (stream) => stream.close() }) };
      const { wait: _, ...asked } = query;
      const cursor = lastEventId ?? query.cursor;
      return { status: 200, events: await openChangeStream(db, principal, caller, { ...asked, cursor }) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/changes/head",
    scope: "changes:read",
    tag: "Change feed",
    summary: "Where the feed stands",
    responses: { 200: { description: "The head", schema: headSchema } },
    async run({ db, caller }) {
      return { status: 200, body: await getChangeHead(db, caller) };
    },
  }),
];
