import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import type { Overview } from "./overview-shape";
import { readActivity } from "./read-activity";
import { readAttention } from "./read-attention";
import { judgeHealth, readHealthFacts } from "./read-health";
import { readIngestRate } from "./read-ingest-rate";

/** The overview but for its charts: a constant number of queries, none of which reads a document. */
export async function getOverview(db: Db, { workspaceId }: Caller): Promise<Overview> {
  const [facts, attention, ingest, activity] = await Promise.all([
    readHealthFacts(db, workspaceId),
    readAttention(db, workspaceId),
    readIngestRate(db, workspaceId),
    readActivity(db, workspaceId),
  ]);
  return { health: judgeHealth(facts, attention), attention, ingest, activity };
}
