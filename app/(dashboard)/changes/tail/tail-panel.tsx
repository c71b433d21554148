"use client";

import { Activity, Pause, Play } from "lucide-react";
import { CallError } from "@/app/_shared/call-error";
import { OriginChoice } from "@/app/(dashboard)/_components/origin-choice";
import { TAIL_COLUMNS } from "@/app/(dashboard)/changes/tail/tail-columns";
import { TailMark } from "@/app/(dashboard)/changes/tail/tail-mark";
import { MAX_ROWS } from "@/app/(dashboard)/changes/tail/tail-rows";
import { useTail } from "@/app/(dashboard)/changes/tail/use-tail";
import { Button, ButtonLink } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { Notice } from "@/components/notice";
import { formatCount } from "@/components/numbers";
import { TableSkeleton } from "@/components/skeleton";

type Origin = { source: string | null; feed: string | null };

/** What flows right now: the last changes, and each new one as it comes. */
export function TailPanel({
  sourceId,
  feedId,
  onFilter,
  onCursor,
}: {
  sourceId: string | undefined;
  feedId: string | undefined;
  onFilter(origin: Origin): void;
  onCursor(cursor: string): void;
}) {
  const tail = useTail({ sourceId, feedId }, onCursor);
  const isFiltered = Boolean(sourceId || feedId);
  const clear = () => onFilter({ source: null, feed: null });
  const { connection } = tail;
  const isEmpty = tail.rows.length === 0 && tail.heldCount === 0;
  return (
    <section aria-labelledby="tail-heading" aria-busy={tail.past === "pending"}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id="tail-heading" className="text-lg font-semibold">
            Live tail
          </h2>
          <TailMark connection={connection} isPaused={tail.isPaused} />
        </div>
        <div className="flex flex-wrap items-center gap-2 max-md:w-full">
          <search className="flex flex-wrap items-center gap-2 max-md:w-full">
            <OriginChoice source={sourceId ?? null} feed={feedId ?? null} onChange={onFilter} />
            {isFiltered && (
              <Button variant="ghost" onClick={clear}>
                Clear filters
              </Button>
            )}
          </search>
          {connection.state !== "ended" && (
            <Button
              icon={tail.isPaused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
              onClick={tail.isPaused ? tail.resume : tail.pause}
            >
              {tail.isPaused ? resumeWords(tail.heldCount) : "Pause the tail"}
            </Button>
          )}
        </div>
      </div>
      {connection.state === "ended" && (
        <div className="mb-3">
          <CallError error={connection.error} what="The tail ended" />
        </div>
      )}
      {!isEmpty && (
        <DataTable
          caption="Changes, the latest first"
          columns={TAIL_COLUMNS}
          rows={tail.rows}
          rowKey={(row) => row.seq}
          rowLabel={(row) => row.title || row.externalId}
          rowHref={(row) => `/documents/${row.documentId}`}
        />
      )}
      {!isEmpty && (
        <p className="mt-2 text-xs text-ink-muted">
          {connection.state === "lost" &&
            "The latest are asked for every few seconds until the connection is back. "}
          {tail.came > 0 ? `${formatCount(tail.came)} came since this page was opened. ` : ""}
          The last {MAX_ROWS} at most are kept here; all documents are under Documents.
        </p>
      )}
      {isEmpty && connection.state !== "ended" && tail.past === "pending" && (
        <TableSkeleton rows={5} columns={4} />
      )}
      {isEmpty && tail.past === "failed" && (
        <Notice tone="warn" title="The last changes could not be read">
          <p className="text-ink-muted">
            The server does not answer. It is asked again every few seconds; you can leave this page open.
          </p>
        </Notice>
      )}
      {isEmpty && connection.state !== "ended" && tail.past === "read" && (
        <EmptyState
          icon={<Activity aria-hidden size={26} />}
          title={isFiltered ? "Nothing was stored there yet" : "No change yet"}
          action={
            isFiltered ? (
              <Button onClick={clear}>Clear filters</Button>
            ) : (
              <ButtonLink href="/tokens">Push a document</ButtonLink>
            )
          }
        >
          Each document that is added, changed or deleted appears here at once, in the order in which
          followers are sent it. Sync a feed, or push a document, and watch.
        </EmptyState>
      )}
    </section>
  );
}

function resumeWords(held: number): string {
  return held === 0 ? "Resume the tail" : `Resume: ${formatCount(held)} new`;
}
