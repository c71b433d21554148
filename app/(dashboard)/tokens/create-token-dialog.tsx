"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import type { FreshToken } from "@/app/(dashboard)/tokens/new-token";
import { SCOPE_WORDS } from "@/app/(dashboard)/tokens/scope-words";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input, Select } from "@/components/field";
import { CheckboxGroup } from "@/components/fieldset";
import type { Scope } from "@/server/access/principal";
import { useTRPC } from "@/trpc/client";

const EXPIRY_DAYS = [7, 30, 90, 365] as const;
const SCOPES = Object.keys(SCOPE_WORDS) as Scope[];
/** What pushing and looking at the result needs. */
const USUAL: readonly Scope[] = ["documents:write", "documents:read"];

export function CreateTokenDialog({
  onOpenChange,
  onCreated,
}: {
  onOpenChange(open: boolean): void;
  onCreated(fresh: FreshToken): void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(USUAL);
  const [days, setDays] = useState("90");
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      async onSuccess(created) {
        onCreated({ id: created.id, name: created.name, token: created.token });
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
    }),
  );
  return (
    <Dialog open onOpenChange={onOpenChange} title="Create token">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({
            name: name.trim(),
            scopes: [...scopes],
            ...(days !== "" && { expiresInDays: Number(days) }),
          });
        }}
      >
        <Field label="Name" hint="Which program gets it." error={fieldError(create.error, "name")}>
          <Input
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            maxLength={100}
            autoFocus
          />
        </Field>
        <CheckboxGroup
          legend={
            <>
              What it may do (<Explain term="scope">scopes</Explain>)
            </>
          }
          columns={2}
          choices={SCOPES.map((scope) => ({
            value: scope,
            label: <code className="text-xs">{scope}</code>,
            hint: SCOPE_WORDS[scope],
          }))}
          chosen={scopes}
          onChange={setScopes}
        />
        <Field label="Expires" error={fieldError(create.error, "expiresInDays")}>
          <Select value={days} onChange={(event) => setDays(event.target.value)}>
            {EXPIRY_DAYS.map((choice) => (
              <option key={choice} value={choice}>
                In {choice === 365 ? "a year" : `${choice} days`}
              </option>
            ))}
            <option value="">Never</option>
          </Select>
        </Field>
        <CallError error={create.error} what="No token was created" beside={["name", "expiresInDays"]} />
        <DialogActions>
          <Button
            type="submit"
            variant="primary"
            disabled={name.trim() === "" || scopes.length === 0}
            pendingLabel={create.isPending && "Creating"}
          >
            Create token
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
