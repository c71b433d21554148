import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import type { ConsumerRow } from "@/app/(dashboard)/_lib/types";
import {
  behindFor,
  behindInWords,
  consumerState,
  filterInWords,
  horizonInWords,
} from "@/app/(dashboard)/changes/consumer-words";
import { Button } from "@/components/button";
import { formatCount } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import type { Column } from "@/components/table-column";
import { formatExact } from "@/components/time-words";

/**
 * @param zone of exact times; undefined = the viewer's.
 * @param onForget null for people who only read.
 */
export function consumerColumns(
  now: number,
  retentionDays: number,
  zone: string | undefined,
  onForget: ((consumer: ConsumerRow) => void) | null,
): Column<ConsumerRow>[] {
  const acts: Column<ConsumerRow> = {
    id: "acts",
    header: "Acts",
    width: "92px",
    isActions: true,
    cell: (row) => (
      <Button size="sm" variant="ghost" aria-label={`Forget ${row.name}…`} onClick={() => onForget?.(row)}>
        Forget…
      </Button>
    ),
  };
  return [
    {
      id: "name",
      header: "Consumer",
      sortKey: "name",
      cell: (row) => (
        <span className="font-medium" title={row.name}>
          {row.name}
        </span>
      ),
    },
    {
      id: "state",
      header: "State",
      width: "148px",
      cell: (row) => <StatusBadge status={consumerState(row, now, retentionDays)} />,
    },
    {
      id: "follows",
      header: "Follows",
      width: "144px",
      from: "lg",
      cell: (row) => <span title={filterInWords(row)}>{filterInWords(row)}</span>,
    },
    {
      id: "behind",
      header: "Lacks changes",
      sortKey: "behind",
      sortFirst: "desc",
      width: "128px",
      align: "right",
      cell: (row) => <span title={behindTitle(row)}>{behindInWords(row)}</span>,
    },
    {
      id: "time",
      header: "Behind by",
      width: "112px",
      align: "right",
      from: "md",
      cell: (row) =>
        row.behindSince ? (
          <time
            dateTime={row.behindSince}
            title={`It lacks changes from ${formatExact(new Date(row.behindSince), zone)} on`}
          >
            {behindFor(row, now)}
          </time>
        ) : (
          "–"
        ),
    },
    {
      id: "horizon",
      header: "To the horizon",
      width: "128px",
      align: "right",
      from: "md",
      cell: (row) => <span title={horizonTitle(row, zone)}>{horizonInWords(row, now)}</span>,
    },
    {
      id: "seen",
      header: "Last seen",
      sortKey: "seen",
      sortFirst: "desc",
      width: "124px",
      cell: (row) => <RelativeTime at={row.seenAt} />,
    },
    {
      id: "by",
      header: "Pulled by",
      width: "136px",
      from: "lg",
      cell: (row) => <span title={byInWords(row)}>{row.by.name ?? "a program"}</span>,
    },
    {
      id: "position",
      header: "Position",
      width: "104px",
      align: "right",
      from: "lg",
      isExtra: true,
      cell: (row) => <span className="font-mono text-xs">{row.position}</span>,
    },
    {
      id: "first",
      header: "First seen",
      width: "124px",
      from: "lg",
      isExtra: true,
      cell: (row) => <RelativeTime at={row.createdAt} />,
    },
    ...(onForget ? [acts] : []),
  ];
}

function behindTitle(row: ConsumerRow): string | undefined {
  if (row.lag === null) return "Its cursor expired: it starts again from nothing";
  return `It showed position ${formatCount(Number(row.position))}, ${formatCount(Number(row.lag))} below the safe point`;
}

function horizonTitle(row: ConsumerRow, zone: string | undefined): string {
  if (row.expiredBy === "epoch") return "Its cursor is from before the store was put back";
  if (row.expiredBy === "horizon") return "Deletes that it was not told of are forgotten";
  const distance = `${formatCount(Number(row.distanceToHorizon))} above the horizon`;
  return row.expiresAt
    ? `${distance}; expires on ${formatExact(new Date(row.expiresAt), zone)} unless it pulls before`
    : `${distance}; there is no delete that it has not been told of`;
}

function byInWords({ by }: ConsumerRow): string {
  if (by.name === null) return "A program on the server";
  return by.type === "token" ? `With the token ${by.name}` : `As ${by.name}`;
}
