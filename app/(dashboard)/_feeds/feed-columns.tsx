import { type FeedDay, FeedStrip } from "@/app/(dashboard)/_components/feed-strip";
import { feedBadge, StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { cursorInShort, cursorInWords } from "@/app/(dashboard)/_lib/describe-cursor";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { formatCount, roundCount } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import { plainSentence } from "@/components/sentence";
import type { Column } from "@/components/table-column";

/**
 * @param historyOf a feed's last thirty days; undefined while they are on their way.
 * @param withSource false on a source's own page.
 */
export function feedColumns(
  historyOf: (feedId: string) => readonly FeedDay[] | undefined,
  withSource: boolean,
): Column<Feed>[] {
  const source: Column<Feed> = {
    id: "source",
    header: "Source",
    sortKey: "source",
    width: "160px",
    from: "lg",
    cell: (feed) => <span className="text-ink-muted">{feed.sourceName}</span>,
  };
  return [
    { id: "name", header: "Name", sortKey: "name", cell: (feed) => feed.displayName },
    {
      id: "status",
      header: "Status",
      sortKey: "status",
      width: "148px",
      cell: (feed) => (
        <StatusBadge
          status={feedBadge(feed)}
          title={feed.error ? plainSentence(feed.error.message) : undefined}
        />
      ),
    },
    ...(withSource ? [source] : []),
    {
      id: "strip",
      header: "30 days",
      width: "128px",
      from: "lg",
      cards: false,
      cell: (feed) => <FeedStrip days={historyOf(feed.id)} />,
    },
    {
      id: "documents",
      header: "Documents",
      sortKey: "documents",
      sortFirst: "desc",
      width: "112px",
      align: "right",
      cell: (feed) => <span title={formatCount(feed.documentCount)}>{roundCount(feed.documentCount)}</span>,
    },
    {
      id: "success",
      header: "Last success",
      sortKey: "lastSuccess",
      sortFirst: "desc",
      width: "128px",
      from: "md",
      cell: (feed) => <Moment at={feed.lastSuccessAt} otherwise="never" />,
    },
    {
      id: "next",
      header: "Next sync",
      sortKey: "nextSync",
      width: "128px",
      from: "lg",
      cell: (feed) => (
        <span title={feed.nextSyncReason ?? undefined}>
          {feed.activeRunId ? (
            <span className="text-ink-muted">under way</span>
          ) : (
            <Moment at={feed.nextSyncAt} otherwise={feed.sourceType === "api" ? "by push" : "–"} />
          )}
        </span>
      ),
    },
    {
      id: "cursor",
      header: "Cursor",
      width: "208px",
      from: "lg",
      isExtra: true,
      cell: (feed) => (
        <span className="text-ink-muted" title={cursorInWords(feed.watermark, feed.cursor)}>
          {cursorInShort(feed.watermark, feed.cursor)}
        </span>
      ),
    },
    {
      id: "newDocument",
      header: "Last new document",
      sortKey: "lastNewDocument",
      sortFirst: "desc",
      width: "152px",
      from: "lg",
      isExtra: true,
      cell: (feed) => <Moment at={feed.lastNewDocumentAt} otherwise="none yet" />,
    },
    {
      id: "failing",
      header: "Failing since",
      sortKey: "failingSince",
      width: "128px",
      from: "lg",
      isExtra: true,
      cell: (feed) => <Moment at={feed.failingSince} otherwise="–" />,
    },
    {
      id: "type",
      header: "Type",
      width: "88px",
      from: "lg",
      isExtra: true,
      cell: (feed) => feed.sourceType,
    },
  ];
}

function Moment({ at, otherwise }: { at: string | null; otherwise: string }) {
  return at ? <RelativeTime at={at} /> : <span className="text-ink-muted">{otherwise}</span>;
}
