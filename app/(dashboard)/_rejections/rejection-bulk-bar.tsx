"use client";

import { useState } from "react";
import { BulkBar } from "@/app/(dashboard)/_bulk/bulk-bar";
import { useBulk } from "@/app/(dashboard)/_bulk/bulk-provider";
import { Button } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { countOf } from "@/components/numbers";
import { useTRPCClient } from "@/trpc/client";

export function RejectionBulkBar({
  chosen,
  onClear,
}: {
  chosen: { id: string; name: string; feedId: string }[];
  onClear(): void;
}) {
  const client = useTRPCClient();
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
      <BulkBar count={chosen.length} noun="rejected document" onClear={onClear}>
        <Button size="sm" onClick={() => act("retry")}>
          Try {documents} again
        </Button>
        <Button size="sm" className="text-bad" onClick={() => setAsking(true)}>
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
