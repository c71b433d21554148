"use client";

import { useState } from "react";
import { BulkBar } from "@/app/(dashboard)/_bulk/bulk-bar";
import { DeleteManyDialog } from "@/app/(dashboard)/_bulk/delete-many-dialog";
import type { ManyAct } from "@/app/(dashboard)/_bulk/use-bulk-acts";
import { type Matching, useChooseAll } from "@/app/(dashboard)/_bulk/use-choose-all";
import { Button } from "@/components/button";
import { countOf } from "@/components/numbers";

export type ChosenSynced = { id: string; name: string; documentCount: number };

/** What a list gives its bar: what is chosen, and whether there is more than this page. */
export type BarOfList = {
  chosen: ChosenSynced[];
  hasMore: boolean;
  onChoose(items: ChosenSynced[]): void;
  onClear(): void;
};

/** Syncs, pauses, resumes or deletes all chosen things that are synced: feeds, or sources with their feeds. */
export function SyncedBulkBar({
  noun,
  start,
  find,
  chosen,
  hasMore,
  onChoose,
  onClear,
}: BarOfList & {
  noun: string;
  start(act: ManyAct, items: readonly ChosenSynced[]): void;
  /** All that the list's filters match. */
  find(): Promise<Matching<ChosenSynced>>;
}) {
  const [isDeleting, setDeleting] = useState(false);
  const { chooseAll, isChoosing } = useChooseAll(find, onChoose, noun);
  const things = countOf(chosen.length, noun);

  function act(what: ManyAct) {
    start(what, chosen);
    onClear();
  }

  return (
    <>
      <BulkBar
        count={chosen.length}
        noun={noun}
        onChooseAll={hasMore ? chooseAll : undefined}
        isChoosing={isChoosing}
        onClear={onClear}
      >
        <Button size="sm" onClick={() => act("sync")}>
          Sync {things}
        </Button>
        <Button size="sm" onClick={() => act("pause")}>
          Pause {things}
        </Button>
        <Button size="sm" onClick={() => act("resume")}>
          Resume {things}
        </Button>
        <Button size="sm" className="text-bad!" onClick={() => setDeleting(true)}>
          Delete {things}…
        </Button>
      </BulkBar>
      <DeleteManyDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        noun={noun}
        chosen={chosen}
        onConfirm={() => act("delete")}
      />
    </>
  );
}
