import type { RunError } from "@/server/runs/run-error";
import type { ApiRun, ApiRunEvent } from "@/server/runs/run-shape";
import { builder } from "../builder";
import { Executor, SyncRunStatus, SyncRunTrigger } from "./enums";
import { pageOf } from "./page";
import { Warning } from "./warning";

const SyncRunError = builder.objectRef<RunError>("SyncRunError").implement({
  fields: (t) => ({
    origin: t.exposeString("origin", { description: "`upstream`, `adapter` or `tidemark`." }),
    code: t.exposeString("code", { description: "The stable part." }),
    message: t.exposeString("message"),
    detail: t.exposeString("detail", { nullable: true }),
    retryable: t.exposeBoolean("retryable"),
  }),
});

const SyncRunDurations = builder.objectRef<ApiRun["durations"]>("SyncRunDurations").implement({
  description: "Milliseconds by stage, null where that is not known: for runs of other people's code.",
  fields: (t) => ({
    fetchMs: t.float({ nullable: true, resolve: ({ fetchMs }) => fetchMs ?? null }),
    commitMs: t.float({ nullable: true, resolve: ({ commitMs }) => commitMs ?? null }),
    totalMs: t.float({ nullable: true, resolve: ({ totalMs }) => totalMs ?? null }),
  }),
});

const SyncRunEvent = builder.objectRef<ApiRunEvent>("SyncRunEvent").implement({
  fields: (t) => ({
    at: t.expose("at", { type: "DateTime" }),
    level: t.exposeString("level"),
    kind: t.exposeString("kind"),
    message: t.exposeString("message"),
    data: t.expose("data", { type: "JSON" }),
  }),
});

/** A list's runs lack `events`, a single one has them. */
type ShownRun = ApiRun & { events?: ApiRunEvent[] };

export const SyncRun = builder.objectRef<ShownRun>("SyncRun").implement({
  description: "One sync of a feed, in the audit trail.",
  fields: (t) => ({
    id: t.exposeID("id"),
    feedId: t.exposeID("feedId"),
    sourceId: t.exposeID("sourceId"),
    feedName: t.exposeString("feedName", { nullable: true, description: "Null once the feed was deleted." }),
    sourceName: t.exposeString("sourceName", { nullable: true }),
    status: t.expose("status", { type: SyncRunStatus }),
    trigger: t.expose("trigger", { type: SyncRunTrigger }),
    executor: t.expose("executor", { type: Executor }),
    actor: t.expose("actor", { type: "JSON", description: "Who started it." }),
    queuedAt: t.expose("queuedAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    leaseExpiresAt: t.expose("leaseExpiresAt", { type: "DateTime", nullable: true }),
    cursorBefore: t.exposeString("cursorBefore", { nullable: true }),
    cursorAfter: t.exposeString("cursorAfter", { nullable: true }),
    listing: t.exposeBoolean("listing", { description: "It lists from the beginning." }),
    restarted: t.exposeBoolean("restarted", { description: "The upstream forgot the position on the way." }),
    durations: t.expose("durations", { type: SyncRunDurations }),
    requestId: t.exposeString("requestId", {
      nullable: true,
      description: "What the log knows its start by.",
    }),
    pages: t.exposeInt("pages"),
    created: t.exposeInt("created"),
    updated: t.exposeInt("updated"),
    skipped: t.exposeInt("skipped"),
    deleted: t.exposeInt("deleted"),
    rejected: t.exposeInt("rejected"),
    requests: t.exposeInt("requests", { description: "To the upstream." }),
    bytes: t.exposeString("bytes", { description: "64-bit number: decoded bytes fetched." }),
    warnings: t.expose("warnings", { type: [Warning] }),
    error: t.expose("error", { type: SyncRunError, nullable: true }),
    events: t.field({
      type: [SyncRunEvent],
      nullable: true,
      description: "What happened in it, the last 1,000; null in a list.",
      resolve: (run) => run.events ?? null,
    }),
  }),
});

export const SyncRunPage = pageOf("SyncRunPage", SyncRun);
