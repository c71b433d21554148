"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import type { Person } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { Checkbox } from "@/components/field";
import { countOf } from "@/components/numbers";
import { Question } from "@/components/question";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

/** Before somebody is removed, or leaves: what ends with it, and what of theirs stays. */
export function RemoveDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const viewer = useViewer();
  const isSelf = person.id === viewer.id;
  const [revokes, setRevokes] = useState(false);
  const remove = useMutation(
    trpc.people.remove.mutationOptions({
      async onSuccess() {
        if (isSelf) {
          window.location.assign("/sign-in"); // nothing of what is shown may be read any more
          return;
        }
        toast.success(`Removed: ${person.name}`);
        onClose();
        await queryClient.invalidateQueries(trpc.people.pathFilter());
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
    }),
  );
  const who = isSelf ? "You" : person.name;
  return (
    <Question
      open
      onOpenChange={(open) => !open && onClose()}
      title={isSelf ? `Leave ${viewer.workspaceName}?` : `Remove ${person.name}?`}
      effect={
        <>
          <p>
            {who} {isSelf ? "lose" : "loses"} access to {viewer.workspaceName} at once, on every device, and
            the account {person.email} is deleted unless it belongs to another workspace here. What{" "}
            {isSelf ? "you" : "they"} did stays on record. To come back {isSelf ? "you need" : "they need"} a
            new invitation.
          </p>
          {person.tokenCount > 0 && (
            <Checkbox
              checked={revokes}
              onChange={(event) => setRevokes(event.target.checked)}
              label={`Also revoke the ${countOf(person.tokenCount, "token")} ${isSelf ? "you" : "they"} made`}
              hint="Programs that use them are refused within a second. Otherwise they go on working."
            />
          )}
        </>
      }
      actionLabel={isSelf ? `Leave ${viewer.workspaceName}` : `Remove ${person.name}`}
      pendingLabel={isSelf ? "Leaving" : "Removing"}
      isPending={remove.isPending}
      error={<CallError error={remove.error} what={isSelf ? "You are still here" : "Nobody was removed"} />}
      onConfirm={() => remove.mutate({ userId: person.id, revokeTokens: revokes })}
    />
  );
}
