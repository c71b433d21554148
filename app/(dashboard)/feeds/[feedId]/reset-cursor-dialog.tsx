"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { cursorInShort, cursorInWords } from "@/app/(dashboard)/_lib/describe-cursor";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input, Select } from "@/components/field";
import { countOf } from "@/components/numbers";
import { Skeleton } from "@/components/skeleton";
import { formatExact } from "@/components/time-words";
import { useTRPC } from "@/trpc/client";

/** The one way a cursor goes back: to where, what that will do (asked of the server), and why. */
export function ResetCursorDialog({
  feed,
  initialTo,
  onOpenChange,
}: {
  feed: Feed;
  /** Chosen at first: empty for the beginning, a transition's id, or `run:` and a run's id. */
  initialTo: string;
  onOpenChange(open: boolean): void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [to, setTo] = useState(initialTo);
  const [reason, setReason] = useState("");
  const history = useQuery(trpc.feeds.transitions.queryOptions({ feedId: feed.id, limit: 50 }));
  const target = readTarget(to);
  const tryOut = useMutation(trpc.feeds.reset.mutationOptions());
  const preview = useQuery({
    queryKey: ["reset-preview", feed.id, feed.cursor, target],
    queryFn: () => tryOut.mutateAsync({ feedId: feed.id, to: target, reason: "preview", dryRun: true }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const reset = useMutation(
    trpc.feeds.reset.mutationOptions({
      async onSuccess() {
        await refresh();
        onOpenChange(false);
      },
    }),
  );
  // Only where the cursor really stood somewhere else can one go back to.
  const earlier = (history.data?.items ?? []).filter(
    (transition) => transition.to !== null && transition.to !== feed.cursor,
  );
  return (
    <Dialog open onOpenChange={onOpenChange} title="Reset cursor">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate({ feedId: feed.id, to: target, reason: reason.trim() });
        }}
      >
        <Field label="Back to">
          <Select value={to} onChange={(event) => setTo(event.target.value)}>
            <option value="">The beginning</option>
            {initialTo.startsWith("run:") && <option value={initialTo}>Before the run you came from</option>}
            {earlier.map((transition) => (
              <option key={transition.id} value={transition.id}>
                {cursorInShort(feed.watermark, transition.to).slice(0, 60)} (stood there on{" "}
                {formatExact(new Date(transition.at))})
              </option>
            ))}
          </Select>
        </Field>
        <section
          aria-label="What will happen"
          aria-live="polite"
          className="rounded-md border border-line bg-sunken p-3 text-sm"
        >
          {preview.isPending && <Skeleton className="h-10 w-full" />}
          {preview.data && (
            <dl className="space-y-1.5">
              <Line term="Now">{cursorInWords(feed.watermark, preview.data.from)}</Line>
              <Line term="Afterwards">{cursorInWords(feed.watermark, preview.data.to)}</Line>
              <Line term="Next sync">{preview.data.effect}</Line>
              <Line term="Kept">
                {countOf(preview.data.documentsKept, "document")}: a reset deletes nothing, and what comes
                again unchanged costs nothing.
              </Line>
            </dl>
          )}
          <CallError error={preview.error} />
        </section>
        <Field label="Reason" hint="Kept in the audit log.">
          <Input
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            required
            maxLength={1000}
          />
        </Field>
        <CallError error={reset.error} what="The cursor was not reset" />
        <DialogActions>
          <Button
            type="submit"
            variant="danger"
            disabled={reason.trim() === "" || preview.isError}
            pendingLabel={reset.isPending && "Resetting"}
          >
            Reset cursor
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function readTarget(to: string): string | null | { beforeRun: string } {
  if (to === "") return null;
  return to.startsWith("run:") ? { beforeRun: to.slice("run:".length) } : to;
}

function Line({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-20 shrink-0 text-ink-muted">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
