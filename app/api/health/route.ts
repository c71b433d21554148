import { db } from "@/server/db";
import { measured } from "@/server/metrics/note-request";
import { readHealth } from "@/server/rest/health";

export const dynamic = "force-dynamic";

export const GET = measured("/api/health", () => readHealth(db));
