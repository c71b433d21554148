import { z } from "zod";
import { getCharts } from "@/server/overview/get-charts";
import { getOverview } from "@/server/overview/get-overview";
import { procedureWith, router } from "../init";

const read = procedureWith("runs:read");

export const overviewRouter = router({
  get: read.query(({ ctx }) => getOverview(ctx.db, ctx.caller)),
  /** Apart from the rest: it changes slowly and costs the most. */
  charts: read
    .input(z.object({ days: z.int().min(1).max(90).optional() }).optional())
    .query(({ ctx, input }) => getCharts(ctx.db, ctx.caller, input)),
});
