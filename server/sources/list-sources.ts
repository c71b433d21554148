import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { decodeAfter, limitOf, type Page, toPage } from "@/server/paging";
import { readSources, withProblems } from "./read-sources";
import type { ListSourcesInput } from "./schema";
import type { ApiSource } from "./source-shape";

/** Sources in the order they were connected: two queries however many there are. */
export async function listSources(
  db: Db,
  { workspaceId }: Caller,
  input: ListSourcesInput,
): Promise<Page<ApiSource>> {
  const { status, type, q } = input;
  const after = decodeAfter("sources", input.after);
  const limit = limitOf(input);
  const rows = await readSources(db, workspaceId, { after, status, type, q }, limit + 1);
  const page = toPage(rows, { list: "sources", limit, positionOf: (row) => row.id, map: (row) => row });
  return { items: await withProblems(db, workspaceId, page.items), nextAfter: page.nextAfter };
}
