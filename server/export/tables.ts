import { z } from "zod";
import { parseInput } from "@/server/access/parse-input";
import type { Scope } from "@/server/access/principal";
import { browseTokensInput } from "@/server/access/schema";
import { browseTokens } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { browseDocuments } from "@/server/documents/browse-documents";
import { documentFilters } from "@/server/documents/schema";
import { browseFeeds } from "@/server/feeds/browse-feeds";
import { browseRejections } from "@/server/feeds/browse-rejections";
import { FEED_SORTS, REJECTION_SORTS } from "@/server/feeds/choices";
import { feedFilters, rejectionFilters } from "@/server/feeds/schema";
import { parametersOf } from "@/server/rest/query";
import { browseRuns } from "@/server/runs/browse-runs";
import { RUN_SORTS } from "@/server/runs/choices";
import { runFilters } from "@/server/runs/schema";
import { browseSources } from "@/server/sources/browse-sources";
import { SOURCE_SORTS } from "@/server/sources/choices";
import { sourceFilters } from "@/server/sources/schema";
import type { TablePage } from "@/server/tables/keyset";
import { tableFields } from "@/server/tables/schema";
import type { Cell } from "./csv";

type Page = { limit: number; after?: string };

/** A table that can be exported: its filters are those of the table on the page. */
export type ExportTable = {
  scope: Scope;
  header: readonly string[];
  /** What the query may have in it. */
  parameters: readonly string[];
  /** @throws AppError invalid_request for filters that make no sense. */
  read(input: Record<string, string>): (db: Db, caller: Caller, page: Page) => Promise<TablePage<Cell[]>>;
};

const { dir } = tableFields;

function table<Input, Item>({
  scope,
  input,
  browse,
  columns,
}: {
  scope: Scope;
  input: z.ZodType<Input>;
  browse(db: Db, caller: Caller, input: Input & Page): Promise<TablePage<Item>>;
  columns: Record<string, (item: Item) => Cell>;
}): ExportTable {
  const cells = Object.values(columns);
  return {
    scope,
    header: Object.keys(columns),
    parameters: parametersOf(input),
    read(query) {
      const filters = parseInput(input, query);
      return async (db, caller, page) => {
        const { items, ...cursors } = await browse(db, caller, { ...filters, ...page });
        return { items: items.map((item) => cells.map((cell) => cell(item))), ...cursors };
      };
    },
  };
}

export const exportTables: Record<string, ExportTable> = {
  sources: table({
    scope: "sources:read",
    input: z.object({ ...sourceFilters, sort: z.enum(SOURCE_SORTS).optional(), dir }),
    browse: browseSources,
    columns: {
      id: (source) => source.id,
      type: (source) => source.type,
      name: (source) => source.name,
      key: (source) => source.key,
      status: (source) => source.status,
      runsOn: (source) => source.runsOn,
      feeds: (source) => source.feedCount,
      documents: (source) => source.documentCount,
      lastSuccessAt: (source) => source.lastSuccessAt,
      createdAt: (source) => source.createdAt,
    },
  }),
  feeds: table({
    scope: "sources:read",
    input: z.object({ ...feedFilters, sort: z.enum(FEED_SORTS).optional(), dir }),
    browse: browseFeeds,
    columns: {
      id: (feed) => feed.id,
      sourceId: (feed) => feed.sourceId,
      source: (feed) => feed.sourceName,
      type: (feed) => feed.sourceType,
      name: (feed) => feed.displayName,
      externalKey: (feed) => feed.externalKey,
      status: (feed) => feed.status,
      documents: (feed) => feed.documentCount,
      watermark: (feed) => feed.watermark,
      cursor: (feed) => feed.cursor,
      lastSuccessAt: (feed) => feed.lastSuccessAt,
      lastNewDocumentAt: (feed) => feed.lastNewDocumentAt,
      nextSyncAt: (feed) => feed.nextSyncAt,
      failingSince: (feed) => feed.failingSince,
      errorCode: (feed) => feed.error?.code,
      error: (feed) => feed.error?.message,
    },
  }),
  runs: table({
    scope: "runs:read",
    input: z.object({ ...runFilters, sort: z.enum(RUN_SORTS).optional(), dir }),
    browse: browseRuns,
    columns: {
      id: (run) => run.id,
      feedId: (run) => run.feedId,
      feed: (run) => run.feedName,
      source: (run) => run.sourceName,
      status: (run) => run.status,
      trigger: (run) => run.trigger,
      executor: (run) => run.executor,
      startedAt: (run) => run.startedAt,
      finishedAt: (run) => run.finishedAt,
      pages: (run) => run.pages,
      created: (run) => run.created,
      updated: (run) => run.updated,
      skipped: (run) => run.skipped,
      deleted: (run) => run.deleted,
      rejected: (run) => run.rejected,
      requests: (run) => run.requests,
      bytes: (run) => run.bytes,
      errorCode: (run) => run.error?.code,
      error: (run) => run.error?.message,
    },
  }),
  documents: table({
    scope: "documents:read",
    input: z.object({ ...documentFilters, dir }),
    browse: browseDocuments,
    columns: {
      id: (document) => document.id,
      feedId: (document) => document.feedId,
      feed: (document) => document.feedName,
      source: (document) => document.sourceName,
      externalId: (document) => document.externalId,
      version: (document) => document.version,
      deleted: (document) => document.deleted,
      title: (document) => document.title,
      url: (document) => document.url,
      author: (document) => document.author,
      date: (document) => document.date,
      changedAt: (document) => document.changedAt,
      seq: (document) => document.seq,
      lastRunId: (document) => document.lastRunId,
    },
  }),
  rejections: table({
    scope: "documents:read",
    input: z.object({ ...rejectionFilters, sort: z.enum(REJECTION_SORTS).optional(), dir }),
    browse: browseRejections,
    columns: {
      id: (item) => item.id,
      feedId: (item) => item.feedId,
      feed: (item) => item.feedName,
      externalId: (item) => item.externalId,
      code: (item) => item.code,
      message: (item) => item.message,
      occurrences: (item) => item.occurrences,
      at: (item) => item.at,
      lastAt: (item) => item.lastAt,
      runId: (item) => item.runId,
      payload: (item) => JSON.stringify(item.payload),
    },
  }),
  tokens: table({
    scope: "admin",
    input: browseTokensInput,
    browse: browseTokens,
    columns: {
      id: (token) => token.id,
      name: (token) => token.name,
      prefix: (token) => token.prefix,
      scopes: (token) => token.scopes.join(" "),
      createdAt: (token) => token.createdAt.toISOString(),
      expiresAt: (token) => token.expiresAt?.toISOString(),
      lastUsedAt: (token) => token.lastUsedAt?.toISOString(),
      revokedAt: (token) => token.revokedAt?.toISOString(),
    },
  }),
};
