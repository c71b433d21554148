import { Explain } from "@/app/(dashboard)/_components/explain";
import { cursorInWords, nextAskInWords } from "@/app/(dashboard)/_lib/describe-cursor";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { CopyButton } from "@/components/copy-button";
import { Fold, RawText } from "@/components/fold";
import { Link } from "@/components/link";
import { formatCount, roundCount } from "@/components/numbers";
import { Stat, StatRow } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { formatDuration } from "@/components/time-words";

/** Where the cursor stands, in words first and raw second, and what comes next and why. */
export function PositionPanel({ feed }: { feed: Feed }) {
  return (
    <div className="space-y-3">
      <section className="overflow-hidden rounded-lg border border-line bg-surface">
        <div className="grid gap-px bg-line md:grid-cols-2">
          <div className="bg-surface p-4">
            <h2 className="text-xs text-ink-muted">
              <Explain term="cursor">Cursor</Explain>
              {feed.watermark && (
                <>
                  {" · "}
                  <Explain term="watermark">watermark</Explain> {WATERMARK_WORDS[feed.watermark]}
                </>
              )}
            </h2>
            <p className="mt-1 text-lg font-medium text-pretty">
              {cursorInWords(feed.watermark, feed.cursor)}
            </p>
            {feed.cursor !== null && <RawCursor cursor={feed.cursor} />}
          </div>
          <div className="bg-surface p-4">
            <h2 className="text-xs text-ink-muted">Next sync</h2>
            <p className="mt-1 text-lg font-medium">
              <NextSync feed={feed} />
            </p>
            <p className="mt-1 text-sm text-ink-muted">
              {nextAskInWords(feed.watermark, feed.cursor, feed.sourceType)}
              {feed.nextSyncReason && feed.nextSyncAt && ` ${sentence(feed.nextSyncReason)}`}
            </p>
          </div>
        </div>
      </section>
      <StatRow label="Counts">
        <Stat
          label="Documents"
          value={roundCount(feed.documentCount)}
          title={formatCount(feed.documentCount)}
        />
        <Stat
          label="Last success"
          value={feed.lastSuccessAt ? <RelativeTime at={feed.lastSuccessAt} /> : "Never"}
        />
        <Stat
          label="Last attempt"
          value={feed.lastAttemptAt ? <RelativeTime at={feed.lastAttemptAt} /> : "Never"}
        />
        <Stat
          label="Last new document"
          value={feed.lastNewDocumentAt ? <RelativeTime at={feed.lastNewDocumentAt} /> : "None yet"}
        />
        <Stat
          label="Interval"
          value={
            feed.sourceType === "api"
              ? "By push"
              : feed.intervalSeconds
                ? formatDuration(feed.intervalSeconds * 1000)
                : "Adaptive"
          }
        />
      </StatRow>
    </div>
  );
}

const WATERMARK_WORDS = {
  date: "by date",
  idSet: "by id",
  token: "by token",
  none: "none",
} as const;

/** Short cursors stand as they are, long ones fold. */
function RawCursor({ cursor }: { cursor: string }) {
  if (cursor.length <= 80) {
    return (
      <p className="mt-1 flex items-center gap-1">
        <code className="text-xs break-all text-ink-muted">{cursor}</code>
        <CopyButton text={cursor} label="Copy the cursor" />
      </p>
    );
  }
  return (
    <div className="mt-1">
      <Fold summary="Raw cursor">
        <RawText label="Raw cursor">{cursor}</RawText>
      </Fold>
    </div>
  );
}

function NextSync({ feed }: { feed: Feed }) {
  if (feed.activeRunId) {
    return (
      <>
        Under way: <Link href={`/runs/${feed.activeRunId}`}>see the run</Link>
      </>
    );
  }
  if (feed.status === "paused") return "Not while paused";
  if (feed.status === "disabled") return "Not while disabled";
  if (feed.status === "deleting") return "No more: it is being deleted";
  if (feed.sourceType === "api") return "Whenever your program pushes";
  if (feed.status === "needs_reconnect") return "After reconnecting";
  if (feed.nextSyncAt)
    return <RelativeTime at={feed.nextSyncAt} className="first-letter:uppercase inline-block" />;
  return "Only when asked for";
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
