import { parse } from "@/server/rest/parse";
import { beginRun, endRun, renewRun, restartOwnRun } from "@/server/runs/own-run";
import { finishRunInput, restartRunInput, startRunInput } from "@/server/runs/schema";
import { builder, needs } from "../builder";
import { given } from "../given";
import { requireId } from "../require-id";
import { SyncRunEnd, SyncRunTrigger } from "../types/enums";
import { Lease, RestartedSyncRun, StartedSyncRun } from "../types/own-run";
import { SyncRun } from "../types/run";
import { WarningInput } from "../types/warning";

/** Runs of someone's own code: start, stay alive, end. */

builder.mutationField("startSyncRun", (t) =>
  t.field({
    type: StartedSyncRun,
    ...needs("runs:write", "Starts a run of your own code. `run_active` names the run in progress."),
    args: {
      feedId: t.arg.id({ required: true }),
      trigger: t.arg({ type: SyncRunTrigger, description: "Default `api`." }),
      listing: t.arg.boolean({
        description: "List from the beginning although the feed has a position, so that `complete` counts.",
      }),
    },
    resolve: (_, { feedId, ...args }, { db, caller }) =>
      beginRun(db, caller, { ...parse(startRunInput, given(args)), feedId: requireId("feed", feedId) }),
  }),
);

builder.mutationField("heartbeatSyncRun", (t) =>
  t.field({
    type: Lease,
    ...needs("runs:write", "Renews a run's lease; so does every page that names the run."),
    args: { runId: t.arg.id({ required: true }) },
    resolve: (_, { runId }, { db, caller }) => renewRun(db, caller, { runId }),
  }),
);

builder.mutationField("restartSyncRun", (t) =>
  t.field({
    type: RestartedSyncRun,
    ...needs(
      "runs:write",
      "For an upstream that forgot the position: a `date` or `idSet` cursor goes back to null, and the run now lists from the beginning.",
    ),
    args: { runId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, { runId, reason }, { db, caller }) =>
      restartOwnRun(db, caller, { ...parse(restartRunInput, { reason }), runId }),
  }),
);

builder.mutationField("finishSyncRun", (t) =>
  t.field({
    type: SyncRun,
    ...needs("runs:write", "Ends a run."),
    args: {
      runId: t.arg.id({ required: true }),
      status: t.arg({ type: SyncRunEnd, required: true }),
      error: t.arg({
        type: "JSON",
        description:
          "A sentence, or `{ message, origin, code, detail, retryable }` with `message` alone required.",
      }),
      complete: t.arg.boolean({
        description: "This run listed everything from the beginning: what it did not bring is gone.",
      }),
      warnings: t.arg({
        type: [WarningInput],
        description: "What a person should know about a run that went well otherwise. At most 50.",
      }),
      retryAt: t.arg({
        type: "DateTime",
        description: "When a rate limit ends (`error.code` is `rate_limited`); at most a day ahead counts.",
      }),
    },
    resolve: (_, { runId, ...args }, { db, caller }) =>
      endRun(db, caller, { ...parse(finishRunInput, given(args)), runId }),
  }),
);
