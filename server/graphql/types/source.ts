import type { ApiSource } from "@/server/sources/source-shape";
import { builder } from "../builder";
import { Executor, SourceStatus } from "./enums";
import { pageOf } from "./page";

export const Source = builder.objectRef<ApiSource>("Source").implement({
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
  }),
});

export const SourcePage = pageOf("SourcePage", Source);
