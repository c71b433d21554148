import { addFeed } from "@/server/feeds/add-feed";
import { getFeed } from "@/server/feeds/get-feed";
import { listFeeds } from "@/server/feeds/list-feeds";
import { listRejections } from "@/server/feeds/list-rejections";
import { listTransitions } from "@/server/feeds/list-transitions";
import { ensureFeedInput, listFeedsInput, resetFeedInput } from "@/server/feeds/schema";
import { resetCursor } from "@/server/ingest/reset-cursor";
import { parse } from "@/server/rest/parse";
import { builder, needs } from "../builder";
import { given } from "../given";
import { pageInput } from "../page-input";
import { requireId } from "../require-id";
import { CursorReset } from "../types/cursor-reset";
import { FeedStatus, Watermark } from "../types/enums";
import { CursorTransitionPage, Feed, FeedPage, RejectionPage } from "../types/feed";
import { PAGE_ARGS } from "../types/page";

builder.queryField("feed", (t) =>
  t.field({
    type: Feed,
    ...needs("sources:read", "A feed."),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { db, caller }) => getFeed(db, caller, { feedId: id }),
  }),
);

builder.queryField("feeds", (t) =>
  t.field({
    type: FeedPage,
    ...needs("sources:read", "Feeds of a source, or of the workspace, in the order they were added."),
    args: {
      sourceId: t.arg.id(),
      status: t.arg({ type: FeedStatus }),
      limit: t.arg.int({ description: PAGE_ARGS.limit }),
      after: t.arg.string({ description: PAGE_ARGS.after }),
    },
    resolve: (_, args, { db, caller }) => {
      if (args.sourceId != null) requireId("src", args.sourceId);
      return listFeeds(db, caller, parse(listFeedsInput, given(args)));
    },
  }),
);

builder.queryField("cursorTransitions", (t) =>
  t.field({
    type: CursorTransitionPage,
    ...needs("sources:read", "The moves of a feed's cursor and its conflicts, newest first."),
    args: {
      feedId: t.arg.id({ required: true }),
      limit: t.arg.int({ description: PAGE_ARGS.limit }),
      after: t.arg.string({ description: PAGE_ARGS.after }),
    },
    resolve: (_, { feedId, ...page }, { db, caller }) =>
      listTransitions(db, caller, { feedId: requireId("feed", feedId), ...parse(pageInput, given(page)) }),
  }),
);

builder.queryField("rejections", (t) =>
  t.field({
    type: RejectionPage,
    ...needs("documents:read", "A feed's items that could not be stored, newest first."),
    args: {
      feedId: t.arg.id({ required: true }),
      limit: t.arg.int({ description: PAGE_ARGS.limit }),
      after: t.arg.string({ description: PAGE_ARGS.after }),
    },
    resolve: (_, { feedId, ...page }, { db, caller }) =>
      listRejections(db, caller, { feedId: requireId("feed", feedId), ...parse(pageInput, given(page)) }),
  }),
);

builder.mutationField("addFeed", (t) =>
  t.field({
    type: Feed,
    ...needs("sources:write", "Ensures a feed by its `externalKey`; an existing one is returned as it is."),
    args: {
      sourceId: t.arg.id({ required: true }),
      externalKey: t.arg.string({ required: true, description: "For sites and feeds, the URL." }),
      name: t.arg.string(),
      watermark: t.arg({
        type: Watermark,
        description: "Absent: the adapter's; for `api` sources inferred from the first cursor.",
      }),
      config: t.arg({ type: "JSON" }),
      intervalSeconds: t.arg.int({ description: "Absent: adaptive." }),
    },
    resolve: async (_, { sourceId, ...args }, { db, caller }) => {
      const input = { ...parse(ensureFeedInput, given(args)), sourceId: requireId("src", sourceId) };
      const { feed } = await addFeed(db, caller, input);
      return feed;
    },
  }),
);

builder.mutationField("resetFeed", (t) =>
  t.field({
    type: CursorReset,
    ...needs("sources:write", "Sets a feed's cursor back: the only way it ever goes back."),
    args: {
      feedId: t.arg.id({ required: true }),
      to: t.arg.id({
        description: "Null: forget the position. Else the id of the transition to go back to. Must be said.",
      }),
      reason: t.arg.string({ required: true }),
      dryRun: t.arg.boolean({ description: "Says what would be done, and does nothing." }),
    },
    resolve: (_, { feedId, to, ...args }, { db, caller }) =>
      resetCursor(db, caller, {
        ...parse(resetFeedInput, { ...given(args), to }),
        feedId: requireId("feed", feedId),
      }),
  }),
);
