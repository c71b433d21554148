import { Radar } from "lucide-react";
import type { ReactNode } from "react";
import { lookInWords } from "@/app/(dashboard)/_lib/look-words";
import { splitMessage } from "@/app/(dashboard)/_lib/split-message";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { Fold, RawText } from "@/components/fold";
import { Link } from "@/components/link";
import { Notice } from "@/components/notice";
import { RelativeTime } from "@/components/relative-time";
import { Sentence } from "@/components/sentence";

/** Where later feeds are looked for, when, and what the last look found. */
export function NewFeeds({ source, action }: { source: Source; action: ReactNode }) {
  const { error, result, address, lastLookAt, nextLookAt, isLooking } = source.newFeeds;
  const where = address ? (
    <span className="font-mono text-xs break-all">{address}</span>
  ) : (
    "the source itself"
  );
  const next = isLooking ? (
    "Looking now."
  ) : nextLookAt ? (
    <>
      Next look <RelativeTime at={nextLookAt} />.
    </>
  ) : (
    "Not while the source is paused."
  );
  if (error) {
    const { title, rest } = splitMessage(error.message);
    return (
      <Notice
        tone="warn"
        title={<Sentence>{`New feeds could not be looked for: ${title}`}</Sentence>}
        action={action}
      >
        {rest && (
          <p>
            <Sentence>{rest}</Sentence>
          </p>
        )}
        <p className="text-ink-muted">
          Asked at {where} <RelativeTime at={error.at} />. The feeds below are not affected. {next}
        </p>
        {error.detail && (
          <Fold summary="What it answered">
            <RawText label="The upstream’s answer">{error.detail}</RawText>
          </Fold>
        )}
      </Notice>
    );
  }
  return (
    <section
      aria-label="New feeds"
      className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 text-sm"
    >
      <div className="flex min-w-0 flex-1 basis-72 gap-2.5">
        <Radar aria-hidden size={16} className="mt-0.5 shrink-0 text-accent" />
        <div className="min-w-0 space-y-0.5">
          <p>
            <span className="font-medium">Feeds that appear later are added by themselves,</span> looked for
            once a day at {where}.
          </p>
          <p className="text-ink-muted">
            {lastLookAt && result ? (
              <>
                Looked <RelativeTime at={lastLookAt} />: {lookInWords(result)} {next}
              </>
            ) : (
              <>Not looked yet. {next}</>
            )}
          </p>
          {result && result.added.length > 0 && (
            <p className="text-ink-muted">
              Added:{" "}
              {result.added.map(({ feedId, name }, index) => (
                <span key={feedId}>
                  {index > 0 && ", "}
                  <Link href={`/feeds/${feedId}`}>{name || "a feed"}</Link>
                </span>
              ))}
            </p>
          )}
        </div>
      </div>
      {action}
    </section>
  );
}
