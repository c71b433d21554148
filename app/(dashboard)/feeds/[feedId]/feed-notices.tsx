import { splitMessage } from "@/app/(dashboard)/_lib/split-message";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { ButtonLink } from "@/components/button";
import { Fold, RawText } from "@/components/fold";
import { Link } from "@/components/link";
import { Notice } from "@/components/notice";
import { countOf } from "@/components/numbers";
import { ExactTime, RelativeTime } from "@/components/relative-time";
import { Sentence } from "@/components/sentence";

/** What stands between this feed and being up to date: what happened, what it means, what to do. */
export function FeedNotices({ feed }: { feed: Feed }) {
  return (
    <>
      {feed.status === "deleting" && (
        <Notice tone="warn" title="This feed is being deleted">
          <p className="text-ink-muted">
            Its documents become tombstones in the change feed. This page ends with it.
          </p>
        </Notice>
      )}
      {feed.status === "rate_limited" && feed.rateLimitedUntil && (
        <Notice
          tone="warn"
          title={
            <>
              The upstream asked to wait until <ExactTime at={feed.rateLimitedUntil} />
            </>
          }
        >
          <p className="text-ink-muted">This is no failure. Syncing goes on by itself then.</p>
        </Notice>
      )}
      {feed.pausedBy === "failures" && (
        <Notice
          tone="warn"
          title={`Paused after ${countOf(feed.consecutiveFailures, "failed sync")} in a row`}
        >
          <p className="text-ink-muted">
            It failed for more than a week, so the schedule stopped asking. Mend the cause below, then resume
            it.
          </p>
        </Notice>
      )}
      {feed.pausedBy === "source" && (
        <Notice tone="info" title="Paused together with its source">
          <p className="text-ink-muted">
            Resume <Link href={`/sources/${feed.sourceId}`}>{feed.sourceName}</Link> and this feed goes on.
            Pushes are still accepted.
          </p>
        </Notice>
      )}
      {feed.error && feed.status !== "deleting" && <FeedErrorNotice feed={feed} error={feed.error} />}
    </>
  );
}

/** It answered, but with no feed: it may be somewhere else now. */
const MAY_HAVE_MOVED = new Set(["not_found", "gone", "not_a_feed"]);

function FeedErrorNotice({ feed, error }: { feed: Feed; error: NonNullable<Feed["error"]> }) {
  const viewer = useViewer();
  const { title, rest } = splitMessage(error.message);
  const isRefused = feed.status === "needs_reconnect" || error.code === "unauthorized";
  return (
    <Notice
      tone={feed.status === "rate_limited" ? "warn" : "bad"}
      title={<Sentence>{title}</Sentence>}
      action={
        <>
          {isRefused && (
            <ButtonLink href={`/sources/${feed.sourceId}?open=edit`} size="sm">
              Enter credentials…
            </ButtonLink>
          )}
          {viewer.canWrite && MAY_HAVE_MOVED.has(error.code) && feed.sourceType !== "api" && (
            <ButtonLink href={`/feeds/${feed.id}?open=move`} size="sm">
              Change address…
            </ButtonLink>
          )}
          <ButtonLink href={`/feeds/${feed.id}?tab=runs`} size="sm">
            See its runs
          </ButtonLink>
        </>
      }
    >
      {rest && (
        <p>
          <Sentence>{rest}</Sentence>
        </p>
      )}
      <p className="text-ink-muted">
        {feed.failingSince && (
          <>
            Failing since <RelativeTime at={feed.failingSince} />,{" "}
            {countOf(feed.consecutiveFailures, "attempt")}.{" "}
          </>
        )}
        {feed.nextSyncAt && error.retryable && feed.status !== "paused" && (
          <>
            Next attempt <RelativeTime at={feed.nextSyncAt} />.{" "}
          </>
        )}
        What was synced before stays as it is.
      </p>
      {error.detail && (
        <Fold summary="What it answered">
          <RawText label="The upstream’s answer">{error.detail}</RawText>
        </Fold>
      )}
    </Notice>
  );
}
