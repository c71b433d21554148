import { type Principal, requireScope } from "@/server/access/principal";
import { enforceRateLimit } from "@/server/access/rate-limit";
import { refuseQueryToken } from "@/server/access/token-spelling";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { exportOpml } from "@/server/opml/export-opml";
import { toProblemResponse } from "@/server/rest/problem";
import { readQuery } from "@/server/rest/query";
import { exportCsv } from "./export-csv";
import { exportTables } from "./tables";

/**
 * `GET /api/export/{table}`: a table as CSV with the filters of its page, or `opml`. Errors are problem
 * documents like those of the REST API.
 */
export async function answerExport(
  db: Db,
  table: string,
  query: URLSearchParams,
  who: { principal: Principal | null; refusal?: AppError; requestId: string },
  now: Date = new Date(),
): Promise<Response> {
  try {
    refuseQueryToken(`?${query}`);
    if (!who.principal) throw who.refusal ?? new AppError("unauthenticated", "Sign in to export.");
    await enforceRateLimit(db, who.principal);
    return await answer(db, table, query, who.principal, now);
  } catch (error) {
    return toProblemResponse(error, {
      requestId: who.requestId,
      method: "GET",
      path: `/api/export/${table}`,
    });
  }
}

async function answer(
  db: Db,
  table: string,
  query: URLSearchParams,
  principal: Principal,
  now: Date,
): Promise<Response> {
  const { caller } = principal;
  const stamp = now.toISOString().slice(0, 10);
  if (table === "opml") {
    requireScope(principal, "sources:read");
    readQuery(`?${query}`, []);
    return download(
      await exportOpml(db, caller, now),
      "text/x-opml; charset=utf-8",
      `tidemark-${stamp}.opml`,
    );
  }
  const found = Object.hasOwn(exportTables, table) ? exportTables[table] : undefined;
  if (!found) throw new AppError("not_found", "There is no such table to export.");
  requireScope(principal, found.scope);
  const sent = Object.entries(readQuery(`?${query}`, found.parameters));
  const readPage = found.read(Object.fromEntries(sent.filter(([, value]) => value !== "")));
  const stream = await exportCsv(db, caller, found.header, readPage);
  return download(stream, "text/csv; charset=utf-8", `tidemark-${table}-${stamp}.csv`);
}

function download(body: BodyInit, type: string, filename: string): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${filename}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
