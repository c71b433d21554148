import { db } from "@/server/db";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { measured } from "@/server/metrics/note-request";

export const dynamic = "force-dynamic";

export const GET = measured("/api/metrics", (request) => answerMetrics(request, db));
