"use client";

import { useQuery } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import type { Shorter } from "@/app/(dashboard)/_retention/days-form";
import { nameSome } from "@/app/(dashboard)/changes/consumer-words";
import { days as daysOf } from "@/app/(dashboard)/changes/status-words";
import { countOf, formatCount } from "@/components/numbers";
import { Question } from "@/components/question";
import { Skeleton } from "@/components/skeleton";
import { MAX_COUNTED_DELETES } from "@/server/changes/choices";
import type { RetentionEffect } from "@/server/changes/schema";
import { useTRPC } from "@/trpc/client";

/** Before deletes are forgotten sooner: which ones at once, and who has to start again for it. */
export function ShorterQuestion({ kept, days, isPending, error, onClose, onConfirm }: Shorter) {
  const trpc = useTRPC();
  const effect = useQuery(trpc.changes.retentionEffect.queryOptions({ days }));
  return (
    <Question
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Keep deletes for ${daysOf(days)} instead of ${kept}?`}
      effect={
        <>
          {effect.isPending && <Skeleton className="h-10 w-full" />}
          {effect.data && <p>{effectInWords(effect.data)}</p>}
          <CallError error={effect.error} what="What it would do could not be read" />
          <p className="text-ink-muted">
            What is forgotten does not come back with a longer time. Documents that are live are not touched.
          </p>
        </>
      }
      actionLabel={`Keep for ${daysOf(days)}`}
      pendingLabel="Saving"
      isPending={isPending}
      error={<CallError error={error} what="The time was not changed" />}
      onConfirm={onConfirm}
    />
  );
}

function effectInWords({ deletes, consumers }: RetentionEffect): string {
  if (deletes === 0) return "Nothing is that old: no delete is forgotten now.";
  const count =
    deletes < MAX_COUNTED_DELETES ? countOf(deletes, "delete") : `${formatCount(deletes)} deletes or more`;
  const forgotten = `${count} will be forgotten with the next maintenance.`;
  if (consumers.length === 0) return `${forgotten} No consumer on the list loses its place by it.`;
  return `${forgotten} ${nameSome(consumers)} ${consumers.length === 1 ? "was" : "were"} not told yet and must start again then.`;
}
