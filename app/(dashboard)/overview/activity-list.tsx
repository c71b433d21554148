import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { actInWords, ownActInWords } from "@/app/(dashboard)/_lib/act-words";
import { actorInWords, changesInWords, TRIGGER_WORDS } from "@/app/(dashboard)/_lib/run-words";
import type { Overview, Run } from "@/app/(dashboard)/_lib/types";
import { Link } from "@/components/link";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { plainSentence, Sentence } from "@/components/sentence";

type Activity = Overview["activity"][number];

/** The latest first: runs that changed or failed something, and what people did. */
export function ActivityList({ activity }: { activity: Activity[] }) {
  return (
    <Panel
      title="Recent activity"
      flush
      action={
        <Link href="/runs" className="text-sm text-ink-muted">
          All runs
        </Link>
      }
    >
      {activity.length === 0 ? (
        <p className="p-4 text-sm text-ink-muted">
          Nothing happened yet. Runs that change something, and what people do, appear here by themselves.
        </p>
      ) : (
        <ol>
          {activity.map((entry) => (
            <li
              key={`${entry.type} ${entry.id}`}
              className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-sm first:border-t-0"
            >
              <RelativeTime
                at={entry.at}
                className="w-32 shrink-0 text-ink-muted max-sm:w-full max-sm:text-xs"
              />
              {entry.type === "run" ? <RunEntry run={entry} /> : <ActEntry act={entry} />}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function RunEntry({ run }: { run: Extract<Activity, { type: "run" }> }) {
  const changed = run.created + run.updated + run.deleted > 0;
  return (
    <>
      <StatusBadge status={run.status as Run["status"]} />
      <Link href={`/runs/${run.id}`} className="min-w-0 max-w-full truncate">
        {run.feedName ?? "A deleted feed"}
      </Link>
      <span
        className="min-w-0 flex-1 truncate text-ink-muted max-sm:basis-full"
        title={run.message ? plainSentence(run.message) : undefined}
      >
        {!changed && run.message ? <Sentence>{run.message}</Sentence> : changesInWords(run)}
      </span>
      <span className="text-xs text-ink-muted max-md:hidden">
        {TRIGGER_WORDS[run.trigger as Run["trigger"]]}
      </span>
    </>
  );
}

function ActEntry({ act }: { act: Extract<Activity, { type: "act" }> }) {
  const href = pageOf(act.targetId);
  const actor = act.actor as Run["actor"];
  const own = "id" in actor && actor.id === act.targetId ? ownActInWords(act.action) : null;
  const name = own ? null : act.targetName;
  return (
    <span className="min-w-0 flex-1 break-words">
      {sentenceStart(actorInWords(actor))} {own ?? actInWords(act.action)}
      {name && <> {href ? <Link href={href}>{name}</Link> : name}</>}
    </span>
  );
}

function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function pageOf(id: string | null): string | null {
  if (id?.startsWith("feed_")) return `/feeds/${id}`;
  if (id?.startsWith("src_")) return `/sources/${id}`;
  return id?.startsWith("run_") ? `/runs/${id}` : null;
}
