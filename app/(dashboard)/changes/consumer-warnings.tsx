import type { ConsumerRow } from "@/app/(dashboard)/_lib/types";
import { consumerState, horizonInWords, nameSome } from "@/app/(dashboard)/changes/consumer-words";
import { Notice } from "@/components/notice";
import { countOf } from "@/components/numbers";

/** What needs somebody: who must start again, and who will have to soon. */
export function ConsumerWarnings({
  consumers,
  now,
  retentionDays,
}: {
  consumers: ConsumerRow[];
  now: number;
  retentionDays: number;
}) {
  const stateOf = (row: ConsumerRow) => consumerState(row, now, retentionDays);
  const expiring = consumers.filter((row) => stateOf(row) === "expiring");
  const away = consumers.filter((row) => row.expiredBy === "horizon");
  const older = consumers.filter((row) => row.expiredBy === "epoch");
  const [soonest] = [...expiring].sort((a, b) => (a.expiresAt ?? "").localeCompare(b.expiresAt ?? ""));
  return (
    <div className="space-y-3 empty:hidden [&:not(:empty)]:mb-3">
      {soonest && (
        <Notice
          tone="warn"
          title={`${nameSome(expiring.map((row) => row.name))} ${expiring.length === 1 ? "expires" : "expire"} soon: ${horizonInWords(soonest, now)}`}
        >
          <p className="text-ink-muted">
            {countOf(retentionDays, "day")} after a delete it is forgotten, and a follower that was not told
            of it has to start again from nothing. See that the program runs: one request with its cursor is
            enough. Admins can also keep deletes for longer, below.
          </p>
        </Notice>
      )}
      {away.length > 0 && (
        <Notice tone="bad" title={`${nameSome(away.map((row) => row.name))} must start again`}>
          <p className="text-ink-muted">
            Away for longer than deletes are kept, so {away.length === 1 ? "its copy" : "their copies"} may
            hold documents that no longer exist. The next request is answered 410; a program built on{" "}
            <code className="text-xs">@tidemark/client</code> then starts again by itself. Another one has to
            ask without a cursor and remove what the new walk does not bring. If it is not used any more,
            forget it here.
          </p>
        </Notice>
      )}
      {older.length > 0 && (
        <Notice
          tone="bad"
          title={`${nameSome(older.map((row) => row.name))} must start again: the store was put back`}
        >
          <p className="text-ink-muted">
            {older.length === 1 ? "It has" : "They have"} not asked since an earlier state was restored. The
            next request is answered 410, and the follower starts again without a cursor.
          </p>
        </Notice>
      )}
    </div>
  );
}
