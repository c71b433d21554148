import type { ApiNewFeeds, LookResult } from "@/server/new-feeds/look-shape";
import { builder } from "../builder";
import { FeedError } from "./feed-error";

const FoundFeed = builder.objectRef<LookResult["added"][number]>("FoundFeed").implement({
  fields: (t) => ({ feedId: t.exposeID("feedId"), name: t.exposeString("name") }),
});

const NewFeedsResult = builder.objectRef<LookResult>("NewFeedsResult").implement({
  description: "What the last look that went well found. The counts sum to the feeds that were offered.",
  fields: (t) => ({
    added: t.expose("added", { type: [FoundFeed] }),
    known: t.exposeInt("known", { description: "Were there already." }),
    refused: t.exposeInt("refused", { description: "Left out, deleted or moved by a person." }),
    elsewhere: t.exposeInt("elsewhere", {
      description: "Of another site, which the credentials were not for.",
    }),
    waiting: t.exposeInt("waiting", { description: "More than are added at once." }),
    unusable: t.exposeInt("unusable", { description: "Whose key cannot be a feed's." }),
  }),
});

export const NewFeeds = builder.objectRef<ApiNewFeeds>("NewFeeds").implement({
  description: "How a source looks for feeds that its upstream offers later.",
  fields: (t) => ({
    isPossible: t.exposeBoolean("isPossible"),
    isReady: t.exposeBoolean("isReady", { description: "It is known where to look." }),
    isOn: t.exposeBoolean("isOn", { description: "They are added by themselves." }),
    address: t.exposeString("address", { nullable: true, description: "Secrets masked." }),
    lastLookAt: t.expose("lastLookAt", { type: "DateTime", nullable: true }),
    nextLookAt: t.expose("nextLookAt", { type: "DateTime", nullable: true }),
    isLooking: t.exposeBoolean("isLooking"),
    error: t.expose("error", { type: FeedError, nullable: true, description: "Of the last look." }),
    result: t.expose("result", { type: NewFeedsResult, nullable: true }),
  }),
});
