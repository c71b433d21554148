"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import type { FreshToken } from "@/app/(dashboard)/tokens/new-token";
import { SCOPE_WORDS } from "@/app/(dashboard)/tokens/scope-words";
import { Button } from "@/components/button";
import { Dialog, FormActions } from "@/components/dialog";
import { Checkbox, Field, Input, Select } from "@/components/field";
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
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(USUAL));
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
            scopes: SCOPES.filter((scope) => scopes.has(scope)),
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
        <fieldset className="space-y-2">
          <legend className="mb-1 text-sm font-medium">
            What it may do (<Explain term="scope">scopes</Explain>)
          </legend>
          <div className="grid gap-2 xs:grid-cols-2">
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                checked={scopes.has(scope)}
                onChange={(event) => {
                  const next = new Set(scopes);
                  if (event.target.checked) next.add(scope);
                  else next.delete(scope);
                  setScopes(next);
                }}
                label={<code className="text-xs">{scope}</code>}
                hint={SCOPE_WORDS[scope]}
              />
            ))}
          </div>
        </fieldset>
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
        <CallError error={create.error} what="No token was created" />
        <FormActions>
          <Button
            type="submit"
            variant="primary"
            disabled={name.trim() === "" || scopes.size === 0}
            pendingLabel={create.isPending && "Creating"}
          >
            Create token
          </Button>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
        </FormActions>
      </form>
    </Dialog>
  );
}
