"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input } from "@/components/field";
import { useTRPC } from "@/trpc/client";

export function AddFeedDialog({
  source,
  onOpenChange,
}: {
  source: Source;
  onOpenChange(open: boolean): void;
}) {
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useRefresh();
  const [externalKey, setExternalKey] = useState("");
  const [name, setName] = useState("");
  const isPulled = source.type !== "api";
  const add = useMutation(
    trpc.feeds.add.mutationOptions({
      async onSuccess(feed) {
        await refresh();
        router.push(`/feeds/${feed.id}`);
      },
    }),
  );
  return (
    <Dialog open onOpenChange={onOpenChange} title={`Add a feed to ${source.name}`}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate({ sourceId: source.id, externalKey: externalKey.trim(), name: name.trim() || null });
        }}
      >
        <Field
          label={isPulled ? "Feed address" : "Key"}
          hint={
            isPulled
              ? "The feed’s own address. To search a site for its feeds, add it as a source."
              : "Your program’s own name for this feed, unique in the source, such as “invoices”."
          }
          error={fieldError(add.error, "externalKey")}
        >
          <Input
            value={externalKey}
            onChange={(event) => setExternalKey(event.target.value)}
            required
            maxLength={8192}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label="Name" optional error={fieldError(add.error, "name")}>
          <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={300} />
        </Field>
        <CallError error={add.error} what="The feed was not added" beside={["externalKey", "name"]} />
        <DialogActions>
          <Button
            type="submit"
            variant="primary"
            disabled={externalKey.trim() === ""}
            pendingLabel={(add.isPending || add.isSuccess) && "Adding"}
          >
            Add feed
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
