"use client";

import { CircleAlert, CircleCheck, Clock, TriangleAlert } from "lucide-react";
import type { Overview } from "@/app/(dashboard)/_lib/types";
import { AttentionAct } from "@/app/(dashboard)/overview/attention-act";
import { Link } from "@/components/link";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";

type Attention = Overview["attention"][number];

const LOOK = {
  error: { Icon: CircleAlert, tone: "text-bad" },
  warning: { Icon: TriangleAlert, tone: "text-warn" },
  notice: { Icon: Clock, tone: "text-ink-faint" },
} as const;

/** What needs someone, by cause and the worst first, with what can be done beside it. */
export function AttentionList({ attention }: { attention: Attention[] }) {
  return (
    <Panel title="Needs attention" flush>
      {attention.length === 0 ? (
        <p className="flex items-center gap-2 p-4 text-sm text-ink-muted">
          <CircleCheck aria-hidden size={15} className="shrink-0 text-ok" />
          Nothing waits for anyone.
        </p>
      ) : (
        <ul>
          {attention.map((item) => (
            <AttentionItem key={item.cause} item={item} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function AttentionItem({ item }: { item: Attention }) {
  const { Icon, tone } = LOOK[item.severity];
  const all = `/feeds?cause=${encodeURIComponent(item.cause)}`;
  return (
    <li className="flex gap-3 border-t border-line px-4 py-3 text-sm first:border-t-0">
      <Icon aria-hidden size={16} className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-72">
            <h3 className="font-medium">
              <Link href={all} className="no-underline hover:underline">
                {item.title}
              </Link>
            </h3>
            <p className="text-ink-muted">{item.explanation}</p>
          </div>
          <div className="flex shrink-0 flex-wrap gap-2">
            <AttentionAct item={item} />
          </div>
        </div>
        <ul className="mt-1.5 space-y-0.5">
          {item.feeds.map((feed) => (
            <li key={feed.feedId} className="flex flex-wrap items-baseline gap-x-2">
              <Link href={`/feeds/${feed.feedId}`} className="max-w-full truncate">
                {feed.name}
              </Link>
              {feed.name !== feed.sourceName && (
                <span className="truncate text-xs text-ink-muted">{feed.sourceName}</span>
              )}
              {feed.since && (
                <span className="text-xs text-ink-muted">
                  {item.cause === "rate_limited" ? "goes on " : "since "}
                  <RelativeTime at={feed.since} />
                </span>
              )}
            </li>
          ))}
        </ul>
        {item.count > item.feeds.length && (
          <p className="mt-1">
            <Link href={all} className="text-ink-muted">
              and {(item.count - item.feeds.length).toLocaleString("en")} more
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}
