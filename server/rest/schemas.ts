import { z } from "@hono/zod-openapi";
import type { ApiDocument, ApiDocumentWithText } from "@/server/documents/document-shape";
import { FEED_STATUSES } from "@/server/feeds/choices";
import type { ApiFeed } from "@/server/feeds/feed-shape";
import type { ApiHeldDelete } from "@/server/feeds/list-held-deletes";
import type { ApiRejection } from "@/server/feeds/list-rejections";
import type { ApiTransition } from "@/server/feeds/list-transitions";
import { WATERMARKS } from "@/server/feeds/schema";
import type { IngestResult } from "@/server/ingest/schema";
import { EXECUTORS, RUN_STATUSES, RUN_TRIGGERS } from "@/server/runs/choices";
import type { ApiRun, ApiRunWithEvents } from "@/server/runs/run-shape";
import { SOURCE_STATUSES } from "@/server/sources/choices";
import type { ApiAdapter } from "@/server/sources/list-adapters";
import type { ApiSource } from "@/server/sources/source-shape";

/**
 * The answers, for openapi.json. Nothing is parsed with them at run time; `z.ZodType<…>` makes a
 * field that a use case no longer has a type error, and rest.test.ts checks real answers with them.
 */

const instant = z.iso.datetime().meta({ description: "RFC 3339, UTC" });
const object = z.record(z.string(), z.unknown());
const actor = z.union([
  z.object({ type: z.enum(["user", "token"]), id: z.string(), name: z.string() }),
  z.object({ type: z.enum(["scheduler", "cli"]) }),
]) as z.ZodType<ApiRun["actor"]>;
const error = {
  origin: z.enum(["upstream", "adapter", "tidemark"]),
  code: z.string(),
  message: z.string(),
  detail: z.string().nullable(),
  retryable: z.boolean(),
};

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: "The stable part" }),
    requestId: z.string().meta({ description: "What the server's log knows this request by" }),
    errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Problem" });

export const feedSchema: z.ZodType<ApiFeed> = z
  .object({
    id: z.string(),
    sourceId: z.string(),
    externalKey: z.string(),
    name: z.string().nullable(),
    watermark: z.enum(WATERMARKS).nullable().meta({ description: "null until known" }),
    cursor: z.string().nullable(),
    documentCount: z.int(),
    status: z.enum(FEED_STATUSES),
    intervalSeconds: z.int().nullable().meta({ description: "null = adaptive" }),
    lastAttemptAt: instant.nullable(),
    lastSuccessAt: instant.nullable(),
    lastNewDocumentAt: instant.nullable(),
    failingSince: instant.nullable(),
    nextSyncAt: instant.nullable(),
    error: z.object({ ...error, at: z.string() }).nullable(),
    config: object,
    createdAt: instant,
    updatedAt: instant,
    upstreamTitle: z.string().nullable(),
    displayName: z.string(),
    sourceName: z.string(),
    sourceType: z.string(),
    runsOn: z.enum(["cloud", "agent", "api"]),
    nextSyncReason: z.string().nullable(),
    rateLimitedUntil: instant.nullable(),
    pausedBy: z.enum(["person", "failures", "source"]).nullable(),
    consecutiveFailures: z.int(),
    activeRunId: z.string().nullable(),
    heldDeletes: z.int(),
    rejections: z.int().meta({ description: "counted up to 1,000" }),
  })
  .meta({ id: "Feed" });

export const sourceObject = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  key: z.string().nullable(),
  config: object,
  runsOn: z.enum(["cloud", "agent", "api"]),
  status: z.enum(SOURCE_STATUSES),
  feedCount: z.int(),
  documentCount: z.int(),
  createdAt: instant,
  updatedAt: instant,
  hasCredentials: z.boolean(),
  lastSuccessAt: instant.nullable(),
  problems: z.array(
    z.object({
      feedId: z.string(),
      name: z.string(),
      status: z.enum(["failing", "rate_limited", "needs_reconnect", "disabled", "paused"]),
      message: z.string(),
    }),
  ),
  newFeeds: z.object({
    isPossible: z.boolean(),
    isReady: z.boolean(),
    isOn: z.boolean().meta({ description: "are feeds that appear later added by themselves?" }),
    address: z.string().nullable().meta({ description: "where they are looked for; secrets masked" }),
    lastLookAt: instant.nullable(),
    nextLookAt: instant.nullable(),
    isLooking: z.boolean(),
    error: z.object({ ...error, at: z.string() }).nullable(),
    result: z
      .object({
        added: z.array(z.object({ feedId: z.string(), name: z.string() })),
        known: z.int(),
        refused: z.int(),
        elsewhere: z.int(),
        waiting: z.int(),
        unusable: z.int(),
      })
      .nullable(),
  }),
});
export const sourceSchema: z.ZodType<ApiSource> = sourceObject.meta({ id: "Source" });

const documentObject = z.object({
  id: z.string(),
  feedId: z.string(),
  sourceId: z.string(),
  externalId: z.string(),
  version: z.string().nullable(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  author: z.string().nullable(),
  date: instant.nullable(),
  metadata: object,
  format: z.enum(["text", "html", "markdown"]),
  deleted: z.boolean(),
  seq: z.string().meta({ description: "64-bit number; position of the latest change in the change feed" }),
  createdAt: instant,
  changedAt: instant,
  lastRunId: z.string().nullable(),
});
export const documentSchema: z.ZodType<ApiDocument> = documentObject.meta({ id: "Document" });
export const documentWithTextSchema: z.ZodType<ApiDocumentWithText> = documentObject
  .extend({ text: z.string().nullable() })
  .meta({ id: "DocumentWithText" });

const runObject = z.object({
  id: z.string(),
  feedId: z.string(),
  sourceId: z.string(),
  status: z.enum(RUN_STATUSES),
  trigger: z.enum(RUN_TRIGGERS),
  executor: z.enum(EXECUTORS),
  actor,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  cursorBefore: z.string().nullable(),
  cursorAfter: z.string().nullable(),
  pages: z.int(),
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  deleted: z.int(),
  rejected: z.int(),
  requests: z.int(),
  bytes: z.string(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  error: z.object(error).nullable(),
  feedName: z.string().nullable(),
  sourceName: z.string().nullable(),
  listing: z.boolean(),
  restarted: z.boolean(),
  durations: z.object({
    fetchMs: z.number().optional(),
    commitMs: z.number().optional(),
    totalMs: z.number().optional(),
  }),
  queuedAt: instant,
  leaseExpiresAt: instant.nullable(),
  requestId: z.string().nullable(),
});
export const runSchema: z.ZodType<ApiRun> = runObject.meta({ id: "Run" });
const runWithEventsObject = runObject.extend({
  events: z.array(
    z.object({ at: instant, level: z.string(), kind: z.string(), message: z.string(), data: object }),
  ),
});
export const runWithEventsSchema: z.ZodType<ApiRunWithEvents> = runWithEventsObject.meta({
  id: "RunWithEvents",
});
export const syncAnswerSchema = z.object({ runId: z.string(), joined: z.boolean() });
export const syncedRunSchema = runWithEventsObject.extend(syncAnswerSchema.shape);

export const transitionSchema: z.ZodType<ApiTransition> = z
  .object({
    id: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    outcome: z.enum(["advanced", "unchanged", "kept", "reset", "restart", "resync"]),
    conflict: z.boolean(),
    runId: z.string().nullable(),
    actor,
    reason: z.string().nullable(),
    at: instant,
  })
  .meta({ id: "CursorTransition" });

export const heldDeleteSchema: z.ZodType<ApiHeldDelete> = z
  .object({
    id: z.string(),
    runId: z.string(),
    count: z.int(),
    sample: z.array(z.string()),
    reason: z.string(),
    at: instant,
  })
  .meta({ id: "HeldDelete" });

export const rejectionSchema: z.ZodType<ApiRejection> = z
  .object({
    id: z.string(),
    externalId: z.string().nullable(),
    code: z.string(),
    message: z.string(),
    payload: z.unknown(),
    runId: z.string().nullable(),
    at: instant,
    occurrences: z.int(),
    lastAt: instant,
  })
  .meta({ id: "Rejection" });

export const adapterSchema: z.ZodType<ApiAdapter> = z
  .object({
    type: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.string().meta({ description: "the catalogue's heading above it" }),
    hosts: z.array(z.string()).meta({ description: "services it is made for, as host names; empty = any" }),
    watermark: z.enum(WATERMARKS),
    auth: z.array(z.enum(["none", "basic", "bearer"])),
    authHints: z.partialRecord(z.enum(["none", "basic", "bearer"]), z.string()),
    canDiscover: z.boolean(),
    discoversMany: z.boolean(),
    canCheck: z.boolean(),
    configSchema: object,
    externalKey: z.string(),
    externalKeyIsUrl: z.boolean(),
    runsOn: z.array(z.enum(["cloud", "agent"])),
  })
  .meta({ id: "Adapter" });

export const ingestResultSchema: z.ZodType<IngestResult> = z
  .object({
    documentsIndexed: z.int().meta({ description: "created + updated" }),
    documentsSkipped: z.int(),
    documentsDeleted: z.int(),
    created: z.int(),
    updated: z.int(),
    documentsRejected: z.array(
      z.object({ index: z.int(), id: z.string().nullable(), code: z.string(), message: z.string() }),
    ),
    cursor: z.string().nullable().meta({ description: "The final, authoritative cursor" }),
    cursorOutcome: z.enum(["advanced", "unchanged", "kept"]),
    conflict: z.boolean(),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    runId: z.string(),
  })
  .meta({ id: "IngestResult" }) as unknown as z.ZodType<IngestResult>;

const idLike = z.union([z.string(), z.int()]);

/** The ingest call's body, for the reader. What is wrong with one document rejects that one alone. */
export const ingestBodySchema = z
  .object({
    documents: z
      .array(
        z.object({
          id: idLike.meta({ description: "The upstream's own id, at most 8,192 bytes" }),
          version: idLike
            .optional()
            .meta({ description: "Decimal integer of at most 38 digits, or RFC 3339" }),
          title: z.string().optional(),
          text: z.string().optional(),
          url: z.string().optional(),
          author: z.string().optional(),
          date: z.string().optional().meta({ description: "RFC 3339" }),
          format: z.enum(["text", "html", "markdown"]).optional(),
          metadata: object.optional(),
          deleted: z.boolean().optional(),
        }),
      )
      .max(50),
    cursor: z.union([z.string(), object]).nullish().meta({ description: "Absent or null: leave it" }),
    cursorBefore: z.union([z.string(), object]).nullish().meta({ description: "Absent: no check" }),
    runId: z.string().optional(),
    sourceId: z.string().optional(),
  })
  .meta({ id: "IngestRequest" });

/** A page of a list. */
export function pageOf(item: z.ZodType) {
  return z.object({ items: z.array(item), nextAfter: z.string().nullable() });
}
