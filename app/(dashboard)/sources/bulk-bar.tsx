import type { Source } from "@/app/(dashboard)/_lib/types";
import { Button } from "@/components/button";
import { countOf } from "@/components/numbers";

/** Acts on all chosen rows at once; each names how many. */
export function BulkBar({
  chosen,
  isPending,
  onAct,
  onClear,
}: {
  chosen: Source[];
  isPending: boolean;
  onAct(act: "sync" | "pause" | "resume", chosen: Source[]): void;
  onClear(): void;
}) {
  if (chosen.length === 0) return null;
  const syncable = chosen.filter((source) => source.type !== "api");
  const paused = chosen.filter((source) => source.status === "paused");
  const running = chosen.filter((source) => source.status !== "paused");
  return (
    <section
      aria-label="Acts on the chosen sources"
      className="fixed inset-x-2 bottom-4 z-20 mx-auto flex w-fit flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised p-2 shadow-menu max-md:bottom-18"
    >
      <span className="px-1 text-sm tabular-nums">{countOf(chosen.length, "source")} chosen</span>
      {syncable.length > 0 && (
        <Button size="sm" disabled={isPending} onClick={() => onAct("sync", syncable)}>
          Sync {countOf(syncable.length, "source")}
        </Button>
      )}
      {running.length > 0 && (
        <Button size="sm" disabled={isPending} onClick={() => onAct("pause", running)}>
          Pause {countOf(running.length, "source")}
        </Button>
      )}
      {paused.length > 0 && (
        <Button size="sm" disabled={isPending} onClick={() => onAct("resume", paused)}>
          Resume {countOf(paused.length, "source")}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
