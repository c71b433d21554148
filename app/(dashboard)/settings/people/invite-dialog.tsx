"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import type { Invitation } from "@/app/(dashboard)/_lib/types";
import type { Role } from "@/app/(dashboard)/_lib/viewer";
import type { FreshInvitation } from "@/app/(dashboard)/settings/people/new-invitation";
import { RoleChoice } from "@/app/(dashboard)/settings/people/role-choice";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input } from "@/components/field";
import { INVITATION_DAYS } from "@/server/people/choices";
import { useTRPC } from "@/trpc/client";

export function InviteDialog({
  again,
  onClose,
  onInvited,
}: {
  /** Who is asked once more: the link that was ends. */
  again?: Invitation;
  onClose(): void;
  onInvited(fresh: FreshInvitation): void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState(again?.email ?? "");
  const [role, setRole] = useState<Role>(again?.role ?? "member");
  const invite = useMutation(
    trpc.people.invite.mutationOptions({
      async onSuccess(invited) {
        onInvited(invited);
        await queryClient.invalidateQueries(trpc.people.pathFilter());
      },
    }),
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invite person"
      description={`Makes a link that works once, for ${INVITATION_DAYS} days. Nothing is sent: you hand it on.`}
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ email: email.trim(), role });
        }}
      >
        <Field
          label="E-mail"
          hint={again ? "The link that was made before ends with this one." : "What they sign in with."}
          error={fieldError(invite.error, "email")}
        >
          <Input
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            required
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
        </Field>
        <RoleChoice value={role} onChange={setRole} />
        <CallError error={invite.error} what="Nobody was invited" beside={["email"]} />
        <DialogActions>
          <Button
            type="submit"
            variant="primary"
            disabled={email.trim() === ""}
            pendingLabel={invite.isPending && "Inviting"}
          >
            Make link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
