"use client";

import { useState } from "react";
import { BulkBar } from "@/app/(dashboard)/_bulk/bulk-bar";
import { DeleteManyDialog } from "@/app/(dashboard)/_bulk/delete-many-dialog";
import { type ManyAct, useFeedBulk } from "@/app/(dashboard)/_bulk/use-bulk-acts";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import { Button } from "@/components/button";
import { countOf } from "@/components/numbers";
import type { FeedFilters } from "@/server/feeds/schema";
import { useTRPCClient } from "@/trpc/client";

type Chosen = { id: string; name: string; documentCount: number };

export function FeedBulkBar({
  chosen,
  filters,
  hasMore,
  onChoose,
  onClear,
}: {
  chosen: Chosen[];
  filters: FeedFilters;
  /** Is there more than this page? */
  hasMore: boolean;
  onChoose(feeds: Chosen[]): void;
  onClear(): void;
}) {
  const client = useTRPCClient();
  const start = useFeedBulk();
  const [isChoosing, setChoosing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const feeds = countOf(chosen.length, "feed");

  function act(what: ManyAct) {
    start(what, chosen);
    onClear();
  }

  async function chooseAll() {
    setChoosing(true);
    try {
      onChoose((await client.feeds.matching.query(filters)).feeds);
    } catch (error) {
      toastError(error, "The feeds could not be chosen");
    } finally {
      setChoosing(false);
    }
  }

  return (
    <>
      <BulkBar
        count={chosen.length}
        noun="feed"
        onChooseAll={hasMore ? () => void chooseAll() : undefined}
        isChoosing={isChoosing}
        onClear={onClear}
      >
        <Button size="sm" onClick={() => act("sync")}>
          Sync {feeds}
        </Button>
        <Button size="sm" onClick={() => act("pause")}>
          Pause {feeds}
        </Button>
        <Button size="sm" onClick={() => act("resume")}>
          Resume {feeds}
        </Button>
        <Button size="sm" className="text-bad" onClick={() => setDeleting(true)}>
          Delete {feeds}…
        </Button>
      </BulkBar>
      <DeleteManyDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        noun="feed"
        chosen={chosen}
        onConfirm={() => act("delete")}
      />
    </>
  );
}
