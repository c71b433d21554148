"use client";

import { useState } from "react";
import { BulkBar } from "@/app/(dashboard)/_bulk/bulk-bar";
import { DeleteManyDialog } from "@/app/(dashboard)/_bulk/delete-many-dialog";
import { type ManyAct, useSourceBulk } from "@/app/(dashboard)/_bulk/use-bulk-acts";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import { Button } from "@/components/button";
import { countOf } from "@/components/numbers";
import { type useTRPC, useTRPCClient } from "@/trpc/client";

type Chosen = { id: string; name: string; documentCount: number };
type Filters = Parameters<ReturnType<typeof useTRPC>["sources"]["matching"]["queryOptions"]>[0];

export function SourceBulkBar({
  chosen,
  filters,
  hasMore,
  onChoose,
  onClear,
}: {
  chosen: Chosen[];
  filters: Exclude<Filters, symbol>;
  /** Is there more than this page? */
  hasMore: boolean;
  onChoose(sources: Chosen[]): void;
  onClear(): void;
}) {
  const client = useTRPCClient();
  const start = useSourceBulk();
  const [isChoosing, setChoosing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const sources = countOf(chosen.length, "source");

  function act(what: ManyAct) {
    start(what, chosen);
    onClear();
  }

  async function chooseAll() {
    setChoosing(true);
    try {
      onChoose((await client.sources.matching.query(filters)).sources);
    } catch (error) {
      toastError(error, "The sources could not be chosen");
    } finally {
      setChoosing(false);
    }
  }

  return (
    <>
      <BulkBar
        count={chosen.length}
        noun="source"
        onChooseAll={hasMore ? () => void chooseAll() : undefined}
        isChoosing={isChoosing}
        onClear={onClear}
      >
        <Button size="sm" onClick={() => act("sync")}>
          Sync {sources}
        </Button>
        <Button size="sm" onClick={() => act("pause")}>
          Pause {sources}
        </Button>
        <Button size="sm" onClick={() => act("resume")}>
          Resume {sources}
        </Button>
        <Button size="sm" className="text-bad" onClick={() => setDeleting(true)}>
          Delete {sources}…
        </Button>
      </BulkBar>
      <DeleteManyDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        noun="source"
        chosen={chosen}
        onConfirm={() => act("delete")}
      />
    </>
  );
}
