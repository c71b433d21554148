"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import type { Webhook } from "@/app/(dashboard)/_lib/types";
import { EVENT_WORDS, EVENTS, USUAL_EVENTS } from "@/app/(dashboard)/webhooks/event-words";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input } from "@/components/field";
import { CheckboxGroup } from "@/components/fieldset";
import { useTRPC } from "@/trpc/client";

/** Adds a webhook, or changes one that is there. */
export function WebhookDialog({
  webhook,
  onClose,
  onCreated,
}: {
  webhook?: Webhook;
  onClose(): void;
  onCreated?(created: { url: string; secret: string }): void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [events, setEvents] = useState(
    EVENTS.filter((event) => (webhook?.events ?? USUAL_EVENTS).includes(event)),
  );
  const refresh = () => queryClient.invalidateQueries(trpc.webhooks.pathFilter());
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      async onSuccess(created) {
        onCreated?.({ url: created.url, secret: created.secret });
        await refresh();
      },
    }),
  );
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      async onSuccess() {
        await refresh();
        onClose();
      },
    }),
  );
  const error = create.error ?? update.error;
  const act = webhook ? "Save" : "Add webhook";

  function submit() {
    const input = { url: url.trim(), description: description.trim(), events };
    if (webhook) update.mutate({ webhookId: webhook.id, ...input });
    else create.mutate(input);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={webhook ? "Edit webhook" : "Add webhook"}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Address"
          hint={
            webhook?.url.includes("***")
              ? "Its secrets are masked. Left as it is, it stays the same; a new address is entered whole."
              : "Where the POST goes. It must be reachable from this server."
          }
          error={fieldError(error, "url")}
        >
          <Input
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://example.org/tidemark"
            inputMode="url"
            spellCheck={false}
            required
            maxLength={2048}
            autoFocus
          />
        </Field>
        <Field label="Description" optional error={fieldError(error, "description")}>
          <Input
            value={description}
            onChange={(event) => setDescription(event.target.value)}
            placeholder="Who receives this"
            maxLength={200}
          />
        </Field>
        <CheckboxGroup
          legend="Events it is told of"
          choices={EVENTS.map((event) => ({
            value: event,
            label: <code className="text-xs">{event}</code>,
            hint: EVENT_WORDS[event],
          }))}
          chosen={events}
          onChange={setEvents}
        />
        <CallError
          error={error}
          what={webhook ? "Nothing was changed" : "No webhook was added"}
          beside={["url", "description"]}
        />
        <DialogActions>
          <Button
            type="submit"
            variant="primary"
            disabled={url.trim() === "" || events.length === 0}
            pendingLabel={(create.isPending || update.isPending) && (webhook ? "Saving" : "Adding")}
          >
            {act}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
