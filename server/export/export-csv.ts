import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import type { TablePage } from "@/server/tables/keyset";
import { type Cell, csvLine } from "./csv";

/** What a spreadsheet still opens; an export that needs more is a program's work, with the change feed. */
export const MAX_ROWS = 100_000;
const PAGE = 200;

type ReadPage = (
  db: Db,
  caller: Caller,
  page: { limit: number; after?: string },
) => Promise<TablePage<Cell[]>>;

/**
 * A table as CSV, read page by page while it is sent, so it holds a page in memory and a connection only
 * while it reads one. Rows that come during it are not waited for. A list that is longer ends with a line
 * that says so.
 *
 * @returns bytes, with the mark by which spreadsheets recognise UTF-8.
 */
export async function exportCsv(
  db: Db,
  caller: Caller,
  header: readonly string[],
  readPage: ReadPage,
  { maxRows = MAX_ROWS }: { maxRows?: number } = {},
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  // The first page before the answer begins: what is wrong with the request is still an error then.
  let page: TablePage<Cell[]> | null = await readPage(db, caller, { limit: PAGE });
  let rows = 0;
  let isFirst = true;
  return new ReadableStream(
    {
      async pull(controller) {
        if (!page) return controller.close();
        const { items, nextAfter }: TablePage<Cell[]> = page;
        const taken = items.slice(0, maxRows - rows);
        rows += taken.length;
        const isCut = taken.length < items.length || (rows >= maxRows && nextAfter !== null);
        const lines = taken.map(csvLine).join("");
        const head = isFirst ? `\uFEFF${csvLine(header)}` : "";
        const tail = isCut ? csvLine([`Cut after ${maxRows} rows. Filter the list to export the rest.`]) : "";
        isFirst = false;
        controller.enqueue(encoder.encode(`${head}${lines}${tail}`));
        page =
          isCut || nextAfter === null ? null : await readPage(db, caller, { limit: PAGE, after: nextAfter });
      },
      cancel() {
        page = null;
      },
    },
    { highWaterMark: 1 },
  );
}
