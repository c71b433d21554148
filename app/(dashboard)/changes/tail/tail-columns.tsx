import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import type { TailRow } from "@/app/(dashboard)/changes/tail/tail-rows";
import { Link } from "@/components/link";
import { RelativeTime } from "@/components/relative-time";
import type { Column } from "@/components/table-column";

export const TAIL_COLUMNS: Column<TailRow>[] = [
  { id: "document", header: "Document", cell: (row) => row.title || row.externalId },
  {
    id: "op",
    header: "Change",
    width: "112px",
    cell: (row) => (
      <StatusBadge
        status={row.op}
        title={row.op === "upsert" ? "Added or changed (upsert)" : "Deleted: its id is left as a tombstone"}
      />
    ),
  },
  {
    id: "feed",
    header: "Feed",
    width: "240px",
    cell: (row) =>
      row.feedName === null ? (
        <span className="text-ink-muted">Deleted feed</span>
      ) : (
        <Link href={`/feeds/${row.feedId}`} title={`${row.sourceName ?? "Deleted source"}: ${row.feedName}`}>
          {row.feedName}
        </Link>
      ),
  },
  {
    id: "version",
    header: "Version",
    width: "112px",
    align: "right",
    from: "lg",
    cards: false,
    cell: (row) => (
      <span className="font-mono text-xs" title={row.version ?? undefined}>
        {row.version ?? "–"}
      </span>
    ),
  },
  {
    id: "seq",
    header: "Seq",
    width: "96px",
    align: "right",
    from: "md",
    cards: false,
    cell: (row) => <span className="font-mono text-xs">{row.seq}</span>,
  },
  { id: "at", header: "When", width: "128px", cell: (row) => <RelativeTime at={row.changedAt} /> },
];
