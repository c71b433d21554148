"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { Button } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Link } from "@/components/link";
import { Notice } from "@/components/notice";
import { countOf } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

const HeldItemsDialog = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/held-items-dialog").then((module) => module.HeldItemsDialog),
);

/** Deletes that wait for a person: what would go, why it was stopped, and the two ways on. */
export function HeldDeletes({ feedId }: { feedId: string }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const refresh = useRefresh();
  const [asking, setAsking] = useState<{ id: string; count: number } | null>(null);
  const [shownId, setShownId] = useQueryState("held", parseAsString);
  const poll = usePolling();
  const list = useQuery(
    trpc.feeds.heldDeletes.queryOptions({ feedId }, { refetchInterval: () => poll(CALM_MS) }),
  );
  const approve = useMutation(
    trpc.feeds.approveHeldDelete.mutationOptions({
      async onSuccess() {
        setAsking(null);
        await refresh();
      },
    }),
  );
  const dismiss = useMutation(trpc.feeds.dismissHeldDelete.mutationOptions({ onSuccess: refresh }));

  const shown = list.data?.items.find((hold) => hold.id === shownId);
  return (
    <>
      {shown && <HeldItemsDialog feedId={feedId} hold={shown} onClose={() => void setShownId(null)} />}
      {list.data?.items.map((hold) => (
        <Notice
          key={hold.id}
          tone="warn"
          title={
            <>
              {countOf(hold.count, "delete")} <Explain term="heldDelete">held</Explain> for your decision
            </>
          }
          action={
            <>
              <Button size="sm" onClick={() => void setShownId(hold.id)}>
                See {countOf(hold.count, "document")}
              </Button>
              {viewer.canAdmin && (
                <>
                  <Button size="sm" variant="danger" onClick={() => setAsking(hold)}>
                    Delete {countOf(hold.count, "document")}…
                  </Button>
                  <Button
                    size="sm"
                    pendingLabel={dismiss.isPending && "Keeping"}
                    onClick={() => dismiss.mutate({ feedId, holdId: hold.id })}
                  >
                    Keep {countOf(hold.count, "document")}
                  </Button>
                </>
              )}
            </>
          }
        >
          <p>
            {hold.reason} <RelativeTime at={hold.at} className="text-ink-muted" />,{" "}
            <Link href={`/runs/${hold.runId}`}>see the run</Link>.
            {!viewer.canAdmin && " An admin has to decide."}
          </p>
          <CallError error={dismiss.error} />
        </Notice>
      ))}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={`Delete ${countOf(asking?.count ?? 0, "document")}?`}
        effect={
          <p>
            Deletes {countOf(asking?.count ?? 0, "document")} here and in every client that follows the change
            feed. What changed since the listing is spared. A document that the upstream lists again comes
            back with the next sync.
          </p>
        }
        actionLabel={`Delete ${countOf(asking?.count ?? 0, "document")}`}
        pendingLabel="Deleting"
        isPending={approve.isPending}
        error={<CallError error={approve.error} what="Nothing was deleted" />}
        onConfirm={() => asking && approve.mutate({ feedId, holdId: asking.id })}
      />
    </>
  );
}
