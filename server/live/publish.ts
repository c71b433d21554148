import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { hubFor } from "./hub";
import type { LiveKind } from "./schema";

/** Ids by kind, as in LiveHint. */
export type Touched = Partial<Record<LiveKind, readonly (string | null | undefined)[]>>;

/**
 * Tells everybody who watches the workspace, in every process, that something changed. Call it after
 * the commit and never in a transaction: NOTIFY makes commits wait for each other in the whole cluster.
 * Costs next to nothing here; what is published within a tenth of a second travels together. Throws
 * nothing: a hint that is lost only makes a page a little older.
 */
export function publish(db: Db, { workspaceId }: Pick<Caller, "workspaceId">, touched: Touched): void {
  hubFor(db).publish(workspaceId, touched);
}
