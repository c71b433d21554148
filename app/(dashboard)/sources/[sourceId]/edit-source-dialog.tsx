"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { NewFeedsFields } from "@/app/(dashboard)/sources/[sourceId]/new-feeds-fields";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Checkbox, Field, Input } from "@/components/field";
import { Fieldset } from "@/components/fieldset";
import { useTRPC } from "@/trpc/client";

/** Name and upstream credentials. Kept credentials are replaced or forgotten, never shown. */
export function EditSourceDialog({
  source,
  onOpenChange,
}: {
  source: Source;
  onOpenChange(open: boolean): void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [name, setName] = useState(source.name);
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [forget, setForget] = useState(false);
  const [newFeeds, setNewFeeds] = useState({ isOn: source.newFeeds.isOn, address: "" });
  const update = useMutation(
    trpc.sources.update.mutationOptions({
      async onSuccess() {
        await refresh();
        onOpenChange(false);
      },
    }),
  );
  return (
    <Dialog open onOpenChange={onOpenChange} title={`Edit ${source.name}`}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({
            sourceId: source.id,
            name: name.trim(),
            ...(forget
              ? { credentials: null }
              : username !== "" && { credentials: { type: "basic", username, password } }),
            ...(source.newFeeds.isPossible && {
              newFeeds: {
                isOn: newFeeds.isOn,
                ...(newFeeds.address.trim() !== "" && { address: newFeeds.address.trim() }),
              },
            }),
          });
        }}
      >
        <Field label="Name" error={fieldError(update.error, "name")}>
          <Input value={name} onChange={(event) => setName(event.target.value)} required maxLength={200} />
        </Field>
        {source.type !== "api" && (
          <Fieldset legend="Credentials" isFramed>
            <p className="text-xs text-ink-muted">
              {source.hasCredentials
                ? "Some are kept, encrypted. What you type replaces them."
                : "None are kept. Type some if the site asks for them."}
            </p>
            <div className="grid gap-3 xs:grid-cols-2">
              <Field label="User name" optional>
                <Input
                  value={username}
                  onChange={(event) => setUsername(event.target.value)}
                  disabled={forget}
                  autoComplete="off"
                />
              </Field>
              <Field label="Password" optional>
                <Input
                  type="password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                  disabled={forget}
                  autoComplete="new-password"
                />
              </Field>
            </div>
            {source.hasCredentials && (
              <Checkbox
                checked={forget}
                onChange={(event) => setForget(event.target.checked)}
                label="Forget the kept credentials"
              />
            )}
          </Fieldset>
        )}
        {source.newFeeds.isPossible && (
          <NewFeedsFields
            known={source.newFeeds}
            draft={newFeeds}
            onChange={setNewFeeds}
            error={update.error}
          />
        )}
        <CallError error={update.error} what="Nothing was changed" beside={["name", "newFeeds.address"]} />
        <DialogActions>
          <Button
            type="submit"
            variant="primary"
            disabled={name.trim() === ""}
            pendingLabel={update.isPending && "Saving"}
          >
            Save source
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
