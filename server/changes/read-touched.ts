import type { Db } from "@/server/db";
import { type FeedHead, parseHead } from "./read-page";
import { readRows } from "./read-rows";

/** Changes looked at; with more, everybody is taken to be concerned. */
const MAX_ROWS = 1_000;

const READ_TOUCHED = `/* prepared */
  SELECT * FROM touched_feeds($1::int, $2::bigint, $3::bigint, $4::int)`;

/** Which feeds have changes after a seq, and the last of each; part of step 3 of safe-point.ts. */
export type Touched = {
  head: FeedHead;
  feeds: { feedId: string; sourceId: string; seq: bigint }[];
  /** False: there may be feeds beside these. */
  isComplete: boolean;
};

type Row = [head: string | null, feedId: string, sourceId: string, seq: string, rows: string];

export async function readTouched(
  db: Db,
  { workspaceId, after, bound }: { workspaceId: number; after: bigint; bound: bigint },
): Promise<Touched> {
  const [first, ...rows] = await readRows<Row>(db, READ_TOUCHED, [workspaceId, after, bound, MAX_ROWS]);
  const looked = rows.reduce((sum, [, , , , count]) => sum + Number(count), 0);
  return {
    head: parseHead(first?.[0]),
    feeds: rows.map(([, feedId, sourceId, seq]) => ({ feedId, sourceId, seq: BigInt(seq) })),
    isComplete: looked < MAX_ROWS,
  };
}
