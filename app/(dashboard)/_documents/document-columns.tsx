import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import type { DocumentRow } from "@/app/(dashboard)/_lib/types";
import { RelativeTime } from "@/components/relative-time";
import type { Column } from "@/components/table-column";

/**
 * @param withFeed false on a feed's own page.
 * @param withState shows which are tombstones; of those nothing is left but the id.
 */
export function documentColumns(withFeed: boolean, withState: boolean): Column<DocumentRow>[] {
  const feed: Column<DocumentRow> = {
    id: "feed",
    header: "Feed",
    width: "184px",
    from: "md",
    cell: (row) => <span className="text-ink-muted">{row.feedName ?? "Deleted feed"}</span>,
  };
  const state: Column<DocumentRow> = {
    id: "state",
    header: "State",
    width: "156px",
    cell: (row) => (row.deleted ? <StatusBadge status="tombstone" /> : null),
  };
  return [
    { id: "title", header: "Title", cell: (row) => row.title || row.externalId },
    ...(withState ? [state] : []),
    ...(withFeed ? [feed] : []),
    {
      id: "source",
      header: "Source",
      width: "160px",
      from: "lg",
      isExtra: true,
      cell: (row) => row.sourceName,
    },
    {
      id: "author",
      header: "Author",
      width: "144px",
      from: "lg",
      isExtra: true,
      cell: (row) => row.author,
    },
    {
      id: "date",
      header: "Published",
      width: "124px",
      from: "md",
      cell: (row) => row.date && <RelativeTime at={row.date} />,
    },
    {
      id: "changed",
      header: "Changed here",
      sortKey: "changed",
      sortFirst: "desc",
      width: "124px",
      cell: (row) => <RelativeTime at={row.changedAt} />,
    },
    {
      id: "version",
      header: "Version",
      width: "96px",
      align: "right",
      from: "lg",
      cards: false,
      cell: (row) => <span className="font-mono text-xs">{row.version ?? "–"}</span>,
    },
    {
      id: "seq",
      header: "Seq",
      width: "96px",
      align: "right",
      from: "lg",
      isExtra: true,
      cell: (row) => <span className="font-mono text-xs">{row.seq}</span>,
    },
  ];
}
