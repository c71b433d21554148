import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { readRunNames } from "@/server/runs/read-run-names";
import type { ChangePage, TailPage } from "./schema";

/** How people call the feeds of these changes: two queries by key, none for an empty page. */
export async function nameFeeds(
  db: Db,
  { workspaceId }: Pick<Caller, "workspaceId">,
  page: ChangePage,
): Promise<TailPage> {
  const namesOf = await readRunNames(db, workspaceId, page.changes);
  return {
    ...page,
    names: Object.fromEntries(page.changes.map((change) => [change.feedId, namesOf(change)])),
  };
}
