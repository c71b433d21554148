"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { SearchInput } from "@/app/(dashboard)/_components/search-input";
import { Dialog } from "@/components/dialog";
import { Link } from "@/components/link";
import { countOf } from "@/components/numbers";
import { Pager, type Place } from "@/components/pager";
import { TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

const START: Place = { after: null, before: null };

/** All that a held sweep would delete, to be searched and paged through before anyone decides. */
export function HeldItemsDialog({
  feedId,
  hold,
  onClose,
}: {
  feedId: string;
  hold: { id: string; count: number };
  onClose(): void;
}) {
  const trpc = useTRPC();
  const [q, setQ] = useState<string | null>(null);
  const [place, setPlace] = useState(START);
  const list = useQuery(
    trpc.feeds.heldItems.queryOptions(
      {
        feedId,
        holdId: hold.id,
        limit: 25,
        ...(q && { q }),
        ...(place.after ? { after: place.after } : place.before ? { before: place.before } : {}),
      },
      { placeholderData: keepPreviousData, retry: false },
    ),
  );
  const items = list.data?.items ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${countOf(hold.count, "document")} that would go`}
      description="Nothing of this is deleted before someone decides."
    >
      <div className="space-y-3">
        <div className="flex">
          <SearchInput
            label="Search by title or id"
            value={q}
            onChange={(next) => {
              setQ(next);
              setPlace(START);
            }}
          />
        </div>
        {list.isPending && <TableSkeleton rows={6} columns={1} />}
        <CallError error={list.error} what="The documents could not be read" />
        {list.data && items.length === 0 && (
          <p role="status" className="text-sm text-ink-muted">
            None of them has such a title or id.
          </p>
        )}
        {items.length > 0 && (
          <ul
            aria-label="Documents that would go"
            className="divide-y divide-line rounded-md border border-line text-sm"
          >
            {items.map((item) => (
              <li key={item.documentId} className="px-3 py-1.5">
                <Link href={`/documents/${item.documentId}`} className="block truncate font-medium">
                  {item.title || item.externalId || item.documentId}
                </Link>
                <span
                  className="block truncate font-mono text-xs text-ink-muted"
                  title={item.externalId ?? undefined}
                >
                  {item.externalId}
                </span>
                {item.isSpared && (
                  <span className="block text-xs text-ink-muted">
                    Changed since the listing: it would be spared.
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
        {list.data && (
          <Pager
            place={place}
            nextAfter={list.data.nextAfter}
            prevBefore={list.data.prevBefore}
            onChange={setPlace}
          />
        )}
      </div>
    </Dialog>
  );
}
