import type { Prisma } from "@/server/db";

/** A document on the wire; a list leaves `text` out. */
export type ApiDocument = {
  id: string;
  feedId: string;
  sourceId: string;
  externalId: string;
  version: string | null;
  title: string | null;
  url: string | null;
  author: string | null;
  date: string | null;
  metadata: Record<string, unknown>;
  format: "text" | "html" | "markdown";
  deleted: boolean;
  /** Position of its latest change in the change feed. */
  seq: string;
  createdAt: string;
  changedAt: string;
  lastRunId: string | null;
};

export type ApiDocumentWithText = ApiDocument & { text: string | null };

export const documentSelect = {
  id: true,
  feedId: true,
  sourceId: true,
  externalId: true,
  version: true,
  state: true,
  title: true,
  url: true,
  author: true,
  date: true,
  metadata: true,
  format: true,
  seq: true,
  createdAt: true,
  changedAt: true,
  lastRunId: true,
} satisfies Prisma.DocumentSelect;

type DocumentRow = Prisma.DocumentGetPayload<{ select: typeof documentSelect }>;

/** Live documents and tombstones only: a grave is never shown. */
export function toDocument(row: DocumentRow): ApiDocument {
  return {
    id: row.id,
    feedId: row.feedId,
    sourceId: row.sourceId,
    externalId: row.externalId ?? "",
    version: row.version,
    title: row.title,
    url: row.url,
    author: row.author,
    date: row.date?.toISOString() ?? null,
    metadata: (row.metadata ?? {}) as Record<string, unknown>,
    format: row.format,
    deleted: row.state !== "live",
    seq: String(row.seq),
    createdAt: row.createdAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    lastRunId: row.lastRunId,
  };
}
