"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import type { TermName } from "@/app/(dashboard)/_lib/glossary";
import type { ChangeFeedStatus } from "@/app/(dashboard)/_lib/types";
import { describeStatus } from "@/app/(dashboard)/changes/status-words";
import { WATCHING_MS } from "@/app/(dashboard)/changes/watching";
import { classNames } from "@/components/class-names";
import { formatCount } from "@/components/numbers";
import { Panel } from "@/components/panel";
import { ShortId } from "@/components/short-id";
import { PanelSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

/** Where the feed stands: each place, and in a line what it means now. */
export function HeadPanel() {
  const trpc = useTRPC();
  const status = useQuery(trpc.changes.status.queryOptions(undefined, { refetchInterval: WATCHING_MS }));
  return (
    <section aria-labelledby="place-heading">
      <h2 id="place-heading" className="mb-2 text-lg font-semibold">
        Where it stands
      </h2>
      <StaleMark query={status} />
      {status.isPending && <PanelSkeleton lines={5} />}
      {!status.data && status.error && (
        <CallError
          error={status.error}
          what="The change feed could not be read"
          onRetry={() => void status.refetch()}
        />
      )}
      {status.data && (
        <Panel flush>
          <Places status={status.data} />
        </Panel>
      )}
    </section>
  );
}

function Places({ status }: { status: ChangeFeedStatus }) {
  const words = describeStatus(status);
  return (
    <dl className="divide-y divide-line">
      <Place term="head" label="Head" value={seq(status.head)}>
        {words.head}
      </Place>
      <Place term="safePoint" label="Safe point" value={seq(status.safePoint)} isWarning={words.isHeldBack}>
        {words.safePoint}
      </Place>
      <Place term="horizon" label="Horizon" value={seq(status.horizon)}>
        {words.horizon}
      </Place>
      <Place term="epoch" label="Epoch" value={<ShortId id={status.epoch} label="epoch" />}>
        {words.epoch}
      </Place>
      <Place
        label="Waiting"
        value={
          <span title={`At most ${formatCount(status.maxWaiters)} in one server process`}>
            {formatCount(status.waiters)}
          </span>
        }
        isWarning={words.isNearlyFull}
      >
        {words.waiters}
      </Place>
    </dl>
  );
}

function seq(text: string): ReactNode {
  return <span title={`Seq ${text}`}>{formatCount(Number(text))}</span>;
}

function Place({
  term,
  label,
  value,
  isWarning,
  children,
}: {
  term?: TermName;
  label: string;
  value: ReactNode;
  isWarning?: boolean;
  children: string;
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 px-4 py-2 md:grid-cols-[96px_112px_minmax(0,1fr)]">
      <dt className="text-sm text-ink-muted">{term ? <Explain term={term}>{label}</Explain> : label}</dt>
      <dd className="text-right text-base font-medium tabular-nums">{value}</dd>
      <dd
        className={classNames(
          "text-sm max-md:col-span-2",
          isWarning ? "font-medium text-warn" : "text-ink-muted",
        )}
      >
        {children}
      </dd>
    </div>
  );
}
