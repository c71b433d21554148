import { parse } from "@/server/rest/parse";
import { getRun } from "@/server/runs/get-run";
import { listRuns } from "@/server/runs/list-runs";
import { listRunsInput } from "@/server/runs/schema";
import { builder, needs } from "../builder";
import { given } from "../given";
import { Executor, SyncRunStatus, SyncRunTrigger } from "../types/enums";
import { PAGE_ARGS } from "../types/page";
import { SyncRun, SyncRunPage } from "../types/run";

builder.queryField("syncRun", (t) =>
  t.field({
    type: SyncRun,
    ...needs("runs:read", "A run with what happened in it."),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { db, caller }) => getRun(db, caller, { runId: id }),
  }),
);

builder.queryField("syncRuns", (t) =>
  t.field({
    type: SyncRunPage,
    ...needs("runs:read", "Runs, newest first."),
    args: {
      feedId: t.arg.id(),
      sourceId: t.arg.id(),
      status: t.arg({ type: SyncRunStatus }),
      executor: t.arg({ type: Executor }),
      trigger: t.arg({ type: SyncRunTrigger }),
      since: t.arg({ type: "DateTime", description: "Started at this time or later." }),
      until: t.arg({ type: "DateTime", description: "Started before this time." }),
      limit: t.arg.int({ description: PAGE_ARGS.limit }),
      after: t.arg.string({ description: PAGE_ARGS.after }),
    },
    resolve: (_, args, { db, caller }) => listRuns(db, caller, parse(listRunsInput, given(args))),
  }),
);
