import { feedBadge, StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { cursorInShort, cursorInWords } from "@/app/(dashboard)/_lib/describe-cursor";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { formatCount, roundCount } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import type { Column } from "@/components/table-column";

export const FEED_COLUMNS: Column<Feed>[] = [
  { id: "name", header: "Name", cell: (feed) => feed.displayName, sortValue: (feed) => feed.displayName },
  {
    id: "status",
    header: "Status",
    sortValue: (feed) => feedBadge(feed),
    width: "148px",
    cell: (feed) => <StatusBadge status={feedBadge(feed)} title={feed.error?.message} />,
  },
  {
    id: "cursor",
    header: "Cursor",
    width: "216px",
    from: "lg",
    cell: (feed) => (
      <span className="text-ink-muted" title={cursorInWords(feed.watermark, feed.cursor)}>
        {cursorInShort(feed.watermark, feed.cursor)}
      </span>
    ),
  },
  {
    id: "documents",
    header: "Documents",
    sortValue: (feed) => feed.documentCount,
    width: "104px",
    align: "right",
    cell: (feed) => <span title={formatCount(feed.documentCount)}>{roundCount(feed.documentCount)}</span>,
  },
  {
    id: "success",
    header: "Last success",
    sortValue: (feed) => feed.lastSuccessAt ?? "",
    width: "128px",
    from: "md",
    cell: (feed) =>
      feed.lastSuccessAt ? (
        <RelativeTime at={feed.lastSuccessAt} />
      ) : (
        <span className="text-ink-muted">never</span>
      ),
  },
  {
    id: "next",
    header: "Next sync",
    width: "128px",
    from: "lg",
    cell: (feed) =>
      feed.nextSyncAt ? (
        <RelativeTime at={feed.nextSyncAt} />
      ) : (
        <span className="text-ink-muted">{feed.sourceType === "api" ? "by push" : "–"}</span>
      ),
  },
];
