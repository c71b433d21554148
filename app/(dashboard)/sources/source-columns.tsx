import { Ellipsis, Pause, Play, RefreshCw, Trash2 } from "lucide-react";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { IconButton } from "@/components/button";
import { Menu, MenuDivider, MenuItem } from "@/components/menu";
import { formatCount, roundCount } from "@/components/numbers";
import { RelativeTime, RelativeTimeOrNever } from "@/components/relative-time";
import { plainSentence } from "@/components/sentence";
import type { Column } from "@/components/table-column";

type Acts = {
  /** What kinds of sources are called. */
  typeWords(type: string): string;
  canWrite: boolean;
  onAct(act: "sync" | "pause" | "resume", source: Source): void;
  onDelete(source: Source): void;
};

export function sourceColumns({ typeWords, canWrite, onAct, onDelete }: Acts): Column<Source>[] {
  const columns: Column<Source>[] = [
    {
      id: "name",
      header: "Name",
      cell: (source) => <SourceName source={source} />,
      sortKey: "name",
    },
    {
      id: "status",
      header: "Status",
      width: "144px",
      sortKey: "status",
      cell: (source) => <StatusBadge status={source.status} />,
    },
    {
      id: "type",
      header: "Type",
      width: "160px",
      from: "lg",
      cards: false,
      cell: (source) => <span className="text-ink-muted">{typeWords(source.type)}</span>,
    },
    {
      id: "feeds",
      header: "Feeds",
      sortKey: "feeds",
      sortFirst: "desc",
      width: "72px",
      align: "right",
      from: "md",
      cell: (source) => formatCount(source.feedCount),
    },
    {
      id: "documents",
      header: "Documents",
      sortKey: "documents",
      sortFirst: "desc",
      width: "112px",
      align: "right",
      cell: (source) => (
        <span title={formatCount(source.documentCount)}>{roundCount(source.documentCount)}</span>
      ),
    },
    {
      id: "created",
      header: "Connected",
      sortKey: "created",
      sortFirst: "desc",
      width: "128px",
      from: "lg",
      isExtra: true,
      cell: (source) => <RelativeTime at={source.createdAt} />,
    },
    {
      id: "success",
      header: "Last success",
      sortKey: "lastSuccess",
      sortFirst: "desc",
      width: "136px",
      from: "md",
      cell: (source) => <RelativeTimeOrNever at={source.lastSuccessAt} />,
    },
  ];
  if (canWrite) {
    columns.push({
      id: "acts",
      header: "Acts",
      width: "52px",
      isActions: true,
      cell: (source) => <SourceMenu source={source} onAct={onAct} onDelete={onDelete} />,
    });
  }
  return columns;
}

/** A source that is well as a whole may have a feed that is not. */
function SourceName({ source }: { source: Source }) {
  const [problem] = source.problems;
  return (
    <>
      {source.name}
      {source.status === "active" && problem && (
        <span className="ml-2 font-normal text-ink-muted" title={plainSentence(problem.message)}>
          {problem.name}: {problem.status.replace("_", " ")}
        </span>
      )}
    </>
  );
}

function SourceMenu({ source, onAct, onDelete }: { source: Source } & Omit<Acts, "canWrite" | "typeWords">) {
  const isGoing = source.status === "deleting";
  return (
    <Menu
      trigger={
        <IconButton label={`Acts on ${source.name}`} disabled={isGoing}>
          <Ellipsis aria-hidden size={16} />
        </IconButton>
      }
    >
      {source.type !== "api" && (
        <MenuItem icon={<RefreshCw aria-hidden size={14} />} onSelect={() => onAct("sync", source)}>
          Sync now
        </MenuItem>
      )}
      {source.status === "paused" ? (
        <MenuItem icon={<Play aria-hidden size={14} />} onSelect={() => onAct("resume", source)}>
          Resume
        </MenuItem>
      ) : (
        <MenuItem icon={<Pause aria-hidden size={14} />} onSelect={() => onAct("pause", source)}>
          Pause
        </MenuItem>
      )}
      <MenuDivider />
      <MenuItem tone="bad" icon={<Trash2 aria-hidden size={14} />} onSelect={() => onDelete(source)}>
        Delete…
      </MenuItem>
    </Menu>
  );
}
