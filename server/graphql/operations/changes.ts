import { getChangeHead } from "@/server/changes/get-change-head";
import { parsePage, pullChanges } from "@/server/changes/pull-changes";
import { consumerName, pullChangesInput } from "@/server/changes/schema";
import { parse } from "@/server/rest/parse";
import { builder, needs } from "../builder";
import { given } from "../given";
import { ChangeHead, ChangePage } from "../types/change";

const input = pullChangesInput.extend({ consumer: consumerName.optional() });

builder.queryField("changes", (t) =>
  t.field({
    type: ChangePage,
    ...needs(
      "changes:read",
      "Changes after a cursor, in order. It never waits: long polls and streams are REST's.",
    ),
    args: {
      cursor: t.arg.string({
        description: "`cursor` of the page before, or `now`. Absent: from the beginning.",
      }),
      limit: t.arg.int({ description: "1 to 1,000, default 100." }),
      sourceId: t.arg.id({ description: "Only this source's; bound into the cursor." }),
      feedId: t.arg.id({ description: "Only this feed's; bound into the cursor." }),
      text: t.arg.boolean({ description: "Also the documents' text." }),
      consumer: t.arg.string({ description: "A name under which the cursor sent is shown to people." }),
    },
    resolve: async (_, args, { db, principal, caller }) =>
      parsePage(await pullChanges(db, principal, caller, parse(input, given(args)))),
  }),
);

builder.queryField("changeHead", (t) =>
  t.field({
    type: ChangeHead,
    ...needs("changes:read", "Where the change feed stands."),
    resolve: (_parent, _args, { db, caller }) => getChangeHead(db, caller),
  }),
);
