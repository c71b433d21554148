import type { Db } from "@/server/db";
import { readRows } from "./read-rows";
import type { ClusterIdentity } from "./safe-point";

/** Where the change feed of a workspace stands, whoever is writing; what read-ahead.ts compares. */
export type Standing = {
  epoch: string;
  identity: ClusterIdentity;
  horizon: bigint;
  /** Highest committed seq of the workspace. */
  head: bigint;
};

type StandingRow = [
  epoch: string | null,
  systemIdentifier: string | null,
  timeline: string | null,
  horizon: string | null,
  head: string | null,
];

const READ_STANDING = `/* prepared */
  SELECT epoch, system_identifier, timeline, horizon, head FROM change_feed_standing($1::int) WHERE in_recovery = 'false'`;

/** @returns null when the workspace is gone, and on a standby: read the feed, and hear why. */
export async function readStanding(db: Db, workspaceId: number): Promise<Standing | null> {
  const [row] = await readRows<StandingRow>(db, READ_STANDING, [workspaceId]);
  if (!row) return null;
  const [epoch, systemIdentifier, timeline, horizon, head] = row;
  if (epoch === null || horizon === null || head === null) return null;
  return { epoch, identity: { systemIdentifier, timeline }, horizon: BigInt(horizon), head: BigInt(head) };
}
