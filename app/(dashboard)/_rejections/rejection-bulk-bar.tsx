"use client";

import { useState } from "react";
import { BulkBar } from "@/app/(dashboard)/_bulk/bulk-bar";
import { useBulk } from "@/app/(dashboard)/_bulk/bulk-provider";
import { useChooseAll } from "@/app/(dashboard)/_bulk/use-choose-all";
import { Button } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { countOf } from "@/components/numbers";
import type { RejectionFilters } from "@/server/feeds/schema";
import { useTRPCClient } from "@/trpc/client";

type Chosen = { id: string; name: string; feedId: string };

export function RejectionBulkBar({
  chosen,
  filters,
  hasMore,
  onChoose,
  onClear,
}: {
  chosen: Chosen[];
  filters: RejectionFilters;
  /** Is there more than this page? */
  hasMore: boolean;
  onChoose(items: Chosen[]): void;
  onClear(): void;
}) {
  const client = useTRPCClient();
  const find = async () => {
    const { rejections, truncated } = await client.feeds.matchingRejections.query(filters);
    const items = rejections.map(({ id, feedId, externalId }) => ({
      id,
      feedId,
      name: externalId ?? "Without an id",
    }));
    return { items, truncated };
  };
  const { chooseAll, isChoosing } = useChooseAll(find, onChoose, "rejected document");
  const start = useBulk();
  const [isAsking, setAsking] = useState(false);
  const documents = countOf(chosen.length, "rejected document");

  function act(what: "retry" | "discard") {
    const feeds = new Map(chosen.map(({ id, feedId }) => [id, feedId]));
    const toInput = (ids: string[]) => ({
      rejections: ids.flatMap((rejectionId) => {
        const feedId = feeds.get(rejectionId);
        return feedId ? [{ feedId, rejectionId }] : [];
      }),
    });
    start(
      what === "retry"
        ? {
            doing: "Trying again",
            done: "Tried again",
            noun: "rejected document",
            items: chosen,
            run: async (ids) => {
              const result = await client.feeds.retryRejections.mutate(toInput(ids));
              // Refused again is an answer, not an error; whoever asked wants to know it all the same.
              return {
                ...result,
                results: result.results.map((item) =>
                  item.ok && !item.changed
                    ? {
                        id: item.id,
                        ok: false as const,
                        code: "invalid_request" as const,
                        message: "Still refused, for the reason it gives.",
                      }
                    : item,
                ),
              };
            },
          }
        : {
            doing: "Discarding",
            done: "Discarded",
            noun: "rejected document",
            items: chosen,
            run: (ids) => client.feeds.discardRejections.mutate(toInput(ids)),
          },
    );
    onClear();
  }

  return (
    <>
      <BulkBar
        count={chosen.length}
        noun="rejected document"
        onChooseAll={hasMore ? chooseAll : undefined}
        isChoosing={isChoosing}
        onClear={onClear}
      >
        <Button size="sm" onClick={() => act("retry")}>
          Try {documents} again
        </Button>
        <Button size="sm" className="text-bad!" onClick={() => setAsking(true)}>
          Discard {documents}…
        </Button>
      </BulkBar>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Discard ${documents}?`}
        effect={
          <p>
            Takes {documents} off this list for good; what they were is kept in the audit log alone. If the
            upstream still sends them, they are refused and listed again.
          </p>
        }
        actionLabel={`Discard ${documents}`}
        pendingLabel="Discarding"
        isPending={false}
        onConfirm={() => {
          setAsking(false);
          act("discard");
        }}
      />
    </>
  );
}
