"use client";

import { useQuery } from "@tanstack/react-query";
import type { Feed, Run } from "@/app/(dashboard)/_lib/types";
import { Link } from "@/components/link";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { useTRPC } from "@/trpc/client";

const SHOWN = 5;

/** What came first: proof that it works. Of the first feed that brought something. */
export function FirstDocuments({ feeds, runs }: { feeds: Feed[]; runs: ReadonlyMap<string, Run> }) {
  const trpc = useTRPC();
  const feed = feeds.find((each) => (runs.get(each.id)?.created ?? 0) > 0 || each.documentCount > 0);
  const created = feed ? (runs.get(feed.id)?.created ?? 0) : 0;
  const list = useQuery({
    ...trpc.documents.list.queryOptions({ feedId: feed?.id ?? "", limit: SHOWN }),
    enabled: feed !== undefined,
    // Read again whenever the run says that more has come.
    refetchInterval: ({ state }) =>
      state.data && state.data.items.length < Math.min(created, SHOWN) ? 500 : false,
  });
  if (!feed || !list.data || list.data.items.length === 0) return null;
  return (
    <Panel title={feeds.length === 1 ? "First documents" : `First documents of ${feed.displayName}`} flush>
      <ul>
        {list.data.items.map((document) => (
          <li
            key={document.id}
            className="flex items-baseline justify-between gap-3 border-t border-line px-4 py-2 text-sm first:border-t-0"
          >
            <Link href={`/documents/${document.id}`} className="min-w-0 truncate">
              {document.title ?? document.externalId}
            </Link>
            {document.date && <RelativeTime at={document.date} className="shrink-0 text-ink-muted" />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
