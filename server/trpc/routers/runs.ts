import { z } from "zod";
import { idText } from "@/server/inputs";
import { browseRuns } from "@/server/runs/browse-runs";
import { getRunProgress } from "@/server/runs/get-run-progress";
import { beginRun, endRun, renewRun, restartOwnRun } from "@/server/runs/own-run";
import { browseRunsInput, finishRunInput, restartRunInput, startRunInput } from "@/server/runs/schema";
import { procedureWith, router } from "../init";

const byRun = z.object({ runId: idText });
const read = procedureWith("runs:read");
const write = procedureWith("runs:write");

export const runsRouter = router({
  list: read.input(browseRunsInput).query(({ ctx, input }) => browseRuns(ctx.db, ctx.caller, input)),
  get: read.input(byRun).query(({ ctx, input }) => getRunProgress(ctx.db, ctx.caller, input)),
  start: write
    .input(startRunInput.extend({ feedId: idText }))
    .mutation(({ ctx, input }) => beginRun(ctx.db, ctx.caller, input)),
  heartbeat: write.input(byRun).mutation(({ ctx, input }) => renewRun(ctx.db, ctx.caller, input)),
  restart: write
    .input(restartRunInput.extend(byRun.shape))
    .mutation(({ ctx, input }) => restartOwnRun(ctx.db, ctx.caller, input)),
  finish: write
    .input(finishRunInput.extend(byRun.shape))
    .mutation(({ ctx, input }) => endRun(ctx.db, ctx.caller, input)),
});
