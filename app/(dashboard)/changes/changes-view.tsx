"use client";

import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { RetentionPanel } from "@/app/(dashboard)/_retention/retention-panel";
import { ConsumerTable } from "@/app/(dashboard)/changes/consumer-table";
import { HeadPanel } from "@/app/(dashboard)/changes/head-panel";
import { TailPanel } from "@/app/(dashboard)/changes/tail/tail-panel";
import { TryIt } from "@/app/(dashboard)/changes/try-it";
import { PageHeader } from "@/components/page-header";

const FILTER = { source: parseAsString, feed: parseAsString };

/** Who follows the workspace's changes, how far behind, and what flows right now. */
export function ChangesView() {
  const [filter, setFilter] = useQueryStates(FILTER, { history: "replace" });
  // Where the tail stands: a cursor of the same filter, for the command below it.
  const [place, setPlace] = useState<{ of: string; cursor: string } | null>(null);
  const sourceId = filter.source ?? undefined;
  const feedId = filter.feed ?? undefined;
  const walk = `${sourceId} ${feedId}`;
  return (
    <>
      <PageHeader
        title="Change feed"
        meta={
          <span>
            Every change to this workspace’s <Explain term="document">documents</Explain>, in one order.
            Programs follow it with a <Explain term="followerCursor">cursor</Explain> of their own and miss
            nothing.
          </span>
        }
      />
      <div className="space-y-6">
        <HeadPanel />
        <ConsumerTable />
        <TailPanel
          // A tail has one filter for its life; another filter is another tail.
          key={walk}
          sourceId={sourceId}
          feedId={feedId}
          onFilter={(next) => void setFilter(next)}
          onCursor={(cursor) => setPlace({ of: walk, cursor })}
        />
        <div className="grid items-start gap-4 lg:grid-cols-3 [&>*]:min-w-0">
          <div className="lg:col-span-2">
            <TryIt sourceId={sourceId} feedId={feedId} cursor={place?.of === walk ? place.cursor : null} />
          </div>
          <RetentionPanel />
        </div>
      </div>
    </>
  );
}
