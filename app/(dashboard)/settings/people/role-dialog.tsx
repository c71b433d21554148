"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import type { Person } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { RoleChoice } from "@/app/(dashboard)/settings/people/role-choice";
import { ROLE_WORDS } from "@/app/(dashboard)/settings/people/role-words";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Checkbox } from "@/components/field";
import { countOf } from "@/components/numbers";
import { toast } from "@/components/toast";
import { ROLES } from "@/server/people/choices";
import { useTRPC } from "@/trpc/client";

export function RoleDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const viewer = useViewer();
  const [role, setRole] = useState(person.role);
  const [revokes, setRevokes] = useState(false);
  const change = useMutation(
    trpc.people.changeRole.mutationOptions({
      async onSuccess() {
        toast.success(`${person.name} is ${ROLE_WORDS[role].name.toLowerCase()} now`);
        onClose();
        if (isSelf) router.refresh(); // what the pages offer depends on it
        await queryClient.invalidateQueries(trpc.people.pathFilter());
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
    }),
  );
  const isSelf = person.id === viewer.id;
  const isLess = ROLES.indexOf(role) < ROLES.indexOf(person.role);
  const losesTokens = isLess && ROLES.indexOf(role) < ROLES.indexOf("admin") && person.tokenCount > 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isSelf ? "Change your role" : `Change the role of ${person.name}`}
      description="It holds with the next click, on every device."
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ userId: person.id, role, revokeTokens: losesTokens && revokes });
        }}
      >
        <RoleChoice value={role} onChange={setRole} />
        {isSelf && isLess && (
          <p className="text-sm text-warn">Only somebody else can give you back what you give up.</p>
        )}
        {losesTokens && (
          <Checkbox
            checked={revokes}
            onChange={(event) => setRevokes(event.target.checked)}
            label={`Also revoke the ${countOf(person.tokenCount, "token")} ${isSelf ? "you" : "they"} made`}
            hint="They may do more than the new role. Programs that use them are refused within a second; otherwise they go on working."
          />
        )}
        <CallError error={change.error} what="The role was not changed" />
        <DialogActions>
          <Button
            type="submit"
            variant="primary"
            disabled={role === person.role}
            pendingLabel={change.isPending && "Changing"}
          >
            Change role
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
