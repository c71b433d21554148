"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import type { Invitation } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { grantableRoles } from "@/app/(dashboard)/settings/people/role-rules";
import { ROLE_WORDS } from "@/app/(dashboard)/settings/people/role-words";
import { Button } from "@/components/button";
import { useNow } from "@/components/clock";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { DataTable } from "@/components/data-table";
import { RelativeTime } from "@/components/relative-time";
import type { Column } from "@/components/table-column";
import { useTRPC } from "@/trpc/client";

/** Who was asked to join and has not yet. */
export function InvitationTable({
  invitations,
  onAgain,
  onWithdrawn,
}: {
  invitations: Invitation[];
  onAgain(invitation: Invitation): void;
  onWithdrawn(id: string): void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const viewer = useViewer();
  const [asked, setAsked] = useState<Invitation | null>(null);
  const withdraw = useMutation(
    trpc.people.withdrawInvitation.mutationOptions({
      async onSuccess({ id }) {
        setAsked(null);
        onWithdrawn(id);
        await queryClient.invalidateQueries(trpc.people.pathFilter());
      },
    }),
  );
  const mayAct = ({ role }: Invitation) => grantableRoles(viewer.role).includes(role);
  return (
    <section aria-labelledby="invitations-heading">
      <h2 id="invitations-heading" className="mb-2 text-lg font-semibold">
        Invitations
      </h2>
      <DataTable
        caption="Invitations"
        columns={columns(mayAct, onAgain, setAsked)}
        rows={invitations}
        rowKey={(invitation) => invitation.id}
        rowLabel={(invitation) => invitation.email}
      />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Withdraw the invitation of ${asked?.email ?? ""}?`}
        effect={<p>The link that was handed on opens nothing any more. A new one can be made at any time.</p>}
        actionLabel="Withdraw invitation"
        pendingLabel="Withdrawing"
        isPending={withdraw.isPending}
        error={<CallError error={withdraw.error} what="The link still holds" />}
        onConfirm={() => asked && withdraw.mutate({ invitationId: asked.id })}
      />
    </section>
  );
}

function columns(
  mayAct: (invitation: Invitation) => boolean,
  onAgain: (invitation: Invitation) => void,
  onWithdraw: (invitation: Invitation) => void,
): Column<Invitation>[] {
  return [
    {
      id: "email",
      header: "E-mail",
      cell: (invitation) => (
        <span className="font-medium" title={invitation.email}>
          {invitation.email}
        </span>
      ),
    },
    { id: "role", header: "Role", width: "160px", cell: ({ role }) => ROLE_WORDS[role].name },
    {
      id: "by",
      header: "Invited by",
      width: "160px",
      from: "lg",
      cell: ({ invitedBy }) => <span title={invitedBy}>{invitedBy}</span>,
    },
    { id: "expires", header: "Link", width: "160px", cell: (invitation) => <LinkState of={invitation} /> },
    {
      id: "acts",
      header: <span className="sr-only">Acts</span>,
      width: "196px",
      isActions: true,
      cell: (invitation) =>
        mayAct(invitation) && (
          <span className="flex justify-end gap-1">
            <Button
              size="sm"
              variant="ghost"
              aria-label={`New link for ${invitation.email}…`}
              onClick={() => onAgain(invitation)}
            >
              New link…
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Withdraw the invitation of ${invitation.email}…`}
              onClick={() => onWithdraw(invitation)}
            >
              Withdraw…
            </Button>
          </span>
        ),
    },
  ];
}

function LinkState({ of: { expiresAt } }: { of: Invitation }) {
  const now = useNow();
  const isOver = new Date(expiresAt).getTime() <= now;
  return (
    <span className={isOver ? "text-warn" : undefined}>
      {isOver ? "expired " : "expires "}
      <RelativeTime at={expiresAt} />
    </span>
  );
}
