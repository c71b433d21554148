"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input, Select } from "@/components/field";
import { formatDuration } from "@/components/time-words";
import { useTRPC } from "@/trpc/client";

const CHOICES_SECONDS = [300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400];

export function EditFeedDialog({ feed, onOpenChange }: { feed: Feed; onOpenChange(open: boolean): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [name, setName] = useState(feed.name ?? "");
  const [interval, setInterval] = useState(feed.intervalSeconds === null ? "" : String(feed.intervalSeconds));
  const update = useMutation(
    trpc.feeds.update.mutationOptions({
      async onSuccess() {
        await refresh();
        onOpenChange(false);
      },
    }),
  );
  const choices = [
    ...new Set([...CHOICES_SECONDS, ...(feed.intervalSeconds ? [feed.intervalSeconds] : [])]),
  ].sort((a, b) => a - b);
  const fallback = feed.upstreamTitle ?? feed.externalKey;
  return (
    <Dialog open onOpenChange={onOpenChange} title={`Edit ${feed.displayName}`}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({
            feedId: feed.id,
            name: name.trim() === "" ? null : name.trim(),
            intervalSeconds: interval === "" ? null : Number(interval),
          });
        }}
      >
        <Field
          label="Name"
          optional
          hint={`Empty: it is called what the upstream calls it, “${fallback}”.`}
          error={fieldError(update.error, "name")}
        >
          <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={300} />
        </Field>
        {feed.sourceType !== "api" && (
          <Field
            label="Sync interval"
            hint="Adaptive follows how often the feed publishes, between 5 minutes and a day."
            error={fieldError(update.error, "intervalSeconds")}
          >
            <Select value={interval} onChange={(event) => setInterval(event.target.value)}>
              <option value="">Adaptive</option>
              {choices.map((seconds) => (
                <option key={seconds} value={seconds}>
                  Every {formatDuration(seconds * 1000)}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <CallError error={update.error} what="Nothing was changed" beside={["name", "intervalSeconds"]} />
        <DialogActions>
          <Button type="submit" variant="primary" pendingLabel={update.isPending && "Saving"}>
            Save feed
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
