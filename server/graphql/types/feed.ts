import type { ApiFeed } from "@/server/feeds/feed-shape";
import type { ApiRejection } from "@/server/feeds/list-rejections";
import type { ApiTransition } from "@/server/feeds/list-transitions";
import { builder } from "../builder";
import { Executor, FeedStatus, TransitionOutcome, Watermark } from "./enums";
import { FeedError } from "./feed-error";
import { pageOf } from "./page";

export const Feed = builder.objectRef<ApiFeed>("Feed").implement({
  description: "A part of a source with one cursor.",
  fields: (t) => ({
    id: t.exposeID("id"),
    sourceId: t.exposeID("sourceId"),
    externalKey: t.exposeString("externalKey"),
    name: t.exposeString("name", { nullable: true }),
    displayName: t.exposeString("displayName", { description: "What the dashboard calls it." }),
    upstreamTitle: t.exposeString("upstreamTitle", { nullable: true, description: "What it calls itself." }),
    sourceName: t.exposeString("sourceName"),
    sourceType: t.exposeString("sourceType"),
    runsOn: t.expose("runsOn", { type: Executor }),
    watermark: t.expose("watermark", { type: Watermark, nullable: true, description: "Null until known." }),
    cursor: t.exposeString("cursor", {
      nullable: true,
      description: "Where the next fetch goes on, and the `cursorBefore` of its first page.",
    }),
    documentCount: t.exposeInt("documentCount", { description: "Live documents." }),
    status: t.expose("status", { type: FeedStatus }),
    intervalSeconds: t.exposeInt("intervalSeconds", { nullable: true, description: "Null = adaptive." }),
    lastAttemptAt: t.expose("lastAttemptAt", { type: "DateTime", nullable: true }),
    lastSuccessAt: t.expose("lastSuccessAt", { type: "DateTime", nullable: true }),
    lastNewDocumentAt: t.expose("lastNewDocumentAt", { type: "DateTime", nullable: true }),
    failingSince: t.expose("failingSince", { type: "DateTime", nullable: true }),
    nextSyncAt: t.expose("nextSyncAt", { type: "DateTime", nullable: true }),
    nextSyncReason: t.exposeString("nextSyncReason", { nullable: true, description: "Why then." }),
    rateLimitedUntil: t.expose("rateLimitedUntil", { type: "DateTime", nullable: true }),
    pausedBy: t.exposeString("pausedBy", {
      nullable: true,
      description: "`person`, `failures`, or `source` when that is paused.",
    }),
    consecutiveFailures: t.exposeInt("consecutiveFailures"),
    error: t.expose("error", { type: FeedError, nullable: true }),
    config: t.expose("config", { type: "JSON" }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    activeRunId: t.exposeID("activeRunId", { nullable: true, description: "The run in progress." }),
    heldDeletes: t.exposeInt("heldDeletes", { description: "Sweeps that wait for a decision." }),
    rejections: t.exposeInt("rejections", { description: "Refused items; counted up to 1,000." }),
  }),
});

export const FeedPage = pageOf("FeedPage", Feed);

const CursorTransition = builder.objectRef<ApiTransition>("CursorTransition").implement({
  description: "A move of a feed's cursor, or a conflict.",
  fields: (t) => ({
    id: t.exposeID("id"),
    from: t.exposeString("from", { nullable: true }),
    to: t.exposeString("to", { nullable: true }),
    outcome: t.expose("outcome", { type: TransitionOutcome }),
    conflict: t.exposeBoolean("conflict"),
    runId: t.exposeID("runId", { nullable: true }),
    actor: t.expose("actor", { type: "JSON" }),
    reason: t.exposeString("reason", { nullable: true }),
    at: t.expose("at", { type: "DateTime" }),
  }),
});

export const CursorTransitionPage = pageOf("CursorTransitionPage", CursorTransition);

const Rejection = builder.objectRef<ApiRejection>("Rejection").implement({
  description: "An item that could not be stored, kept for a look or another try.",
  fields: (t) => ({
    id: t.exposeID("id"),
    externalId: t.exposeString("externalId", { nullable: true }),
    code: t.exposeString("code"),
    message: t.exposeString("message"),
    payload: t.expose("payload", {
      type: "JSON",
      nullable: true,
      description: "As it was sent; long texts cut.",
    }),
    runId: t.exposeID("runId", { nullable: true }),
    at: t.expose("at", { type: "DateTime", description: "When it was first refused." }),
    occurrences: t.exposeInt("occurrences"),
    lastAt: t.expose("lastAt", { type: "DateTime" }),
  }),
});

export const RejectionPage = pageOf("RejectionPage", Rejection);
