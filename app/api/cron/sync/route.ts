import { db } from "@/server/db";
import { answerCron } from "@/server/jobs/answer-cron";
import { runSyncCron } from "@/server/jobs/run-cron";
import { measured } from "@/server/metrics/note-request";

export const dynamic = "force-dynamic";
/** Hosted platforms: the budget of run-cron.ts and time to answer. */
export const maxDuration = 60;

const handler = measured("/api/cron/sync", (request) => answerCron(request, () => runSyncCron(db())));

export { handler as GET, handler as POST };
