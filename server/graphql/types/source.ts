import type { ApiFeed } from "@/server/feeds/feed-shape";
import type { ApiSource, SourceProblem } from "@/server/sources/source-shape";
import { builder } from "../builder";
import { Executor, FeedStatus, SourceStatus } from "./enums";
import { Feed } from "./feed";
import { NewFeeds } from "./new-feeds";
import { pageOf } from "./page";

const Problem = builder.objectRef<SourceProblem>("SourceProblem").implement({
  fields: (t) => ({
    feedId: t.exposeID("feedId"),
    name: t.exposeString("name"),
    status: t.expose("status", { type: FeedStatus }),
    message: t.exposeString("message"),
  }),
});

/** `createSource` has feeds in its answer; a source that is read has not. */
type ShownSource = ApiSource & { feeds?: ApiFeed[] };

export const Source = builder.objectRef<ShownSource>("Source").implement({
  description: "A connected thing, with feeds in it.",
  fields: (t) => ({
    id: t.exposeID("id"),
    type: t.exposeString("type", { description: "An adapter's, or `api` for sources that only get pushes." }),
    name: t.exposeString("name"),
    key: t.exposeString("key", { nullable: true, description: "The caller's own name for it." }),
    config: t.expose("config", { type: "JSON" }),
    runsOn: t.expose("runsOn", { type: Executor }),
    status: t.expose("status", { type: SourceStatus }),
    feedCount: t.exposeInt("feedCount"),
    documentCount: t.exposeInt("documentCount", { description: "Live documents." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    lastSuccessAt: t.expose("lastSuccessAt", { type: "DateTime", nullable: true }),
    hasCredentials: t.exposeBoolean("hasCredentials", {
      description: "Are upstream credentials kept for it?",
    }),
    problems: t.expose("problems", {
      type: [Problem],
      description: "Its feeds that need someone's attention; at most five.",
    }),
    newFeeds: t.expose("newFeeds", { type: NewFeeds }),
    feeds: t.field({
      type: [Feed],
      nullable: true,
      description:
        "Those that `createSource` was asked for, in their order; null elsewhere, see `feeds(sourceId)`.",
      resolve: (source) => source.feeds ?? null,
    }),
  }),
});

export const SourcePage = pageOf("SourcePage", Source);
