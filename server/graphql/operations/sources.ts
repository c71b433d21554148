import { parse } from "@/server/rest/parse";
import { createSource } from "@/server/sources/create-source";
import { getSource } from "@/server/sources/get-source";
import { listSources } from "@/server/sources/list-sources";
import { createNamedSourceInput, listSourcesInput } from "@/server/sources/schema";
import { builder, needs } from "../builder";
import { given } from "../given";
import { Executor, SourceStatus } from "../types/enums";
import { FeedInput } from "../types/feed-input";
import { PAGE_ARGS } from "../types/page";
import { Source, SourcePage } from "../types/source";
import { NewFeedsInput } from "../types/source-input";

builder.queryField("source", (t) =>
  t.field({
    type: Source,
    ...needs("sources:read", "A source."),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { db, caller }) => getSource(db, caller, { sourceId: id }),
  }),
);

builder.queryField("sources", (t) =>
  t.field({
    type: SourcePage,
    ...needs("sources:read", "Sources, in the order they were added."),
    args: {
      status: t.arg({ type: SourceStatus }),
      type: t.arg.string(),
      q: t.arg.string({ description: "Part of the name, in any case." }),
      limit: t.arg.int({ description: PAGE_ARGS.limit }),
      after: t.arg.string({ description: PAGE_ARGS.after }),
    },
    resolve: (_, args, { db, caller }) => listSources(db, caller, parse(listSourcesInput, given(args))),
  }),
);

builder.mutationField("createSource", (t) =>
  t.field({
    type: Source,
    ...needs(
      "sources:write",
      "Connects a source. With `key` it ensures: an existing source of that key is returned as it is.",
    ),
    args: {
      type: t.arg.string({ required: true, description: "An adapter's, or `api` for pushes alone." }),
      name: t.arg.string({ required: true }),
      config: t.arg({ type: "JSON", description: "What its adapter asks for." }),
      key: t.arg.string({ description: "The caller's own name for it, unique in the workspace." }),
      runsOn: t.arg({ type: Executor }),
      feeds: t.arg({
        type: [FeedInput],
        description: "Ensures these in the same call, at most 500; they are in the answer, in their order.",
      }),
      credentials: t.arg({ type: "Credentials", description: "Kept in the vault; they never come back." }),
      newFeeds: t.arg({ type: NewFeedsInput, description: "How feeds are found that it offers later." }),
    },
    resolve: async (_, args, { db, caller }) => {
      const { source } = await createSource(db, caller, parse(createNamedSourceInput, given(args)));
      return source;
    },
  }),
);
