import { log } from "@/server/log";
import { requestIdOf } from "@/server/request-id";
import { refuseCronCaller } from "./cron-access";
import type { CronResult } from "./run-cron";

/** A cron route: lets the scheduler in, does the work, answers what was done. */
export async function answerCron(request: Request, work: () => Promise<CronResult>): Promise<Response> {
  const refusal = refuseCronCaller(request);
  if (refusal) return refusal;
  const headers = { "cache-control": "no-store" };
  try {
    return Response.json(await work(), { headers });
  } catch (error) {
    const requestId = requestIdOf(request.headers);
    log.error({ err: error, requestId }, "cron call failed");
    const problem = {
      type: "about:blank",
      title: "Internal error",
      status: 500,
      detail: "Something went wrong; the server's log has the details under this request id.",
      code: "internal_error",
      requestId,
    };
    return new Response(JSON.stringify(problem), {
      status: 500,
      headers: { ...headers, "content-type": "application/problem+json" },
    });
  }
}
