import type { FeedError as ApiFeedError } from "@/server/feeds/feed-shape";
import { builder } from "../builder";

export const FeedError = builder.objectRef<ApiFeedError>("FeedError").implement({
  description: "Why the last sync did not go well.",
  fields: (t) => ({
    origin: t.exposeString("origin", { description: "`upstream`, `adapter` or `tidemark`." }),
    code: t.exposeString("code", { description: "The stable part." }),
    message: t.exposeString("message"),
    detail: t.exposeString("detail", { nullable: true, description: "What the upstream answered." }),
    retryable: t.exposeBoolean("retryable"),
    at: t.expose("at", { type: "DateTime" }),
  }),
});
