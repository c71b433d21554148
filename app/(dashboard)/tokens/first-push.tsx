"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { useState } from "react";
import { LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { Link } from "@/components/link";
import { RelativeTime } from "@/components/relative-time";
import { useTRPC } from "@/trpc/client";

/** Waits for a document to come in, then leads to it. */
export function FirstPush({ feedId }: { feedId: string }) {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.documents.list.queryOptions({ feedId, limit: 1, order: "newest" }, { refetchInterval: LIVE_MS }),
  );
  const latest = list.data?.items[0];
  // What was there when the panel opened is not what the viewer waits for.
  const [known, setKnown] = useState<string | null | undefined>(undefined);
  if (known === undefined && list.isSuccess) setKnown(latest?.seq ?? null);
  const arrived = latest && known !== undefined && latest.seq !== known ? latest : null;

  return (
    <div role="status" className="rounded-md border border-line bg-sunken p-3 text-sm">
      {arrived ? (
        <p className="flex flex-wrap items-center gap-2">
          <CircleCheck aria-hidden size={16} className="text-ok" />
          <span className="font-medium">It arrived:</span>
          <Link href={`/documents/${arrived.id}`}>{arrived.title || arrived.externalId}</Link>
          <RelativeTime at={arrived.changedAt} className="text-ink-muted" />
        </p>
      ) : (
        <p className="flex items-center gap-2 text-ink-muted">
          <LoaderCircle aria-hidden size={16} className="animate-turn" />
          {latest ? (
            <span>
              Waiting for the next push to this feed. The latest so far is{" "}
              <Link href={`/documents/${latest.id}`}>{latest.title || latest.externalId}</Link>.
            </span>
          ) : (
            "Waiting for the first push to this feed."
          )}
        </p>
      )}
    </div>
  );
}
