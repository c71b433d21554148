"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { NewSecret } from "@/app/(dashboard)/webhooks/new-secret";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Select } from "@/components/field";
import { useTRPC } from "@/trpc/client";

const OVERLAPS = [
  { seconds: 86_400, words: "For a day both secrets sign" },
  { seconds: 604_800, words: "For a week both secrets sign" },
  { seconds: 0, words: "At once: the old secret ends now" },
] as const;

/** A new signing secret, and how long the old one goes on beside it. */
export function RotateDialog({ webhookId, onClose }: { webhookId: string; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [overlapSeconds, setOverlapSeconds] = useState<number>(OVERLAPS[0].seconds);
  const rotate = useMutation(
    trpc.webhooks.rotate.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  if (rotate.data) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title="New signing secret" isWide>
        <NewSecret
          secret={rotate.data.secret}
          title="Copy it now: it is shown this once."
          note={
            rotate.data.overlapUntil
              ? "The receiver may go on with the old secret for now: deliveries bear both signatures."
              : "Deliveries are signed with this one alone from now on."
          }
        />
        <DialogActions wayOut={null}>
          <Button onClick={onClose}>Done</Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Rotate the signing secret?"
      description="A new secret is made and shown once. Give it to the receiver before the old one ends."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate({ webhookId, overlapSeconds });
        }}
      >
        <Field
          label="Change over"
          hint={
            overlapSeconds === 0
              ? "For a secret that has leaked: a receiver that still has the old one refuses deliveries."
              : "A receiver with either secret accepts deliveries meanwhile."
          }
        >
          <Select value={overlapSeconds} onChange={(event) => setOverlapSeconds(Number(event.target.value))}>
            {OVERLAPS.map(({ seconds, words }) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
        <CallError error={rotate.error} what="The secret was not changed" />
        <DialogActions>
          <Button type="submit" variant="primary" pendingLabel={rotate.isPending && "Rotating"}>
            Rotate secret
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
