"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import type { Invitation, Person } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { InvitationTable } from "@/app/(dashboard)/settings/people/invitation-table";
import { type FreshInvitation, NewInvitation } from "@/app/(dashboard)/settings/people/new-invitation";
import { PeopleTable } from "@/app/(dashboard)/settings/people/people-table";
import { SettingsHeader } from "@/app/(dashboard)/settings/settings-header";
import { Button } from "@/components/button";
import { TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

const InviteDialog = dynamic(() =>
  import("@/app/(dashboard)/settings/people/invite-dialog").then((module) => module.InviteDialog),
);
const RoleDialog = dynamic(() =>
  import("@/app/(dashboard)/settings/people/role-dialog").then((module) => module.RoleDialog),
);
const RemoveDialog = dynamic(() =>
  import("@/app/(dashboard)/settings/people/remove-dialog").then((module) => module.RemoveDialog),
);

/** What lies in front of the page. */
type Asked = { what: "invite"; again?: Invitation } | { what: "role" | "remove"; person: Person } | null;

/** Who belongs to the workspace, who was asked to, and what each may. */
export function PeopleView() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const list = useQuery(trpc.people.list.queryOptions());
  const [asked, setAsked] = useState<Asked>(null);
  const [fresh, setFresh] = useState<FreshInvitation | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <SettingsHeader
        actions={
          viewer.canAdmin && (
            <Button
              variant="primary"
              icon={<UserPlus aria-hidden size={15} />}
              onClick={() => setAsked({ what: "invite" })}
            >
              Invite person
            </Button>
          )
        }
      />
      <div className="space-y-5">
        {fresh && <NewInvitation fresh={fresh} />}
        <StaleMark query={list} />
        {list.isPending && <TableSkeleton rows={3} columns={4} />}
        {!list.data && list.error && (
          <CallError
            error={list.error}
            what="The people could not be read"
            onRetry={() => void list.refetch()}
          />
        )}
        {list.data && (
          <>
            <PeopleTable
              people={list.data.people}
              onRole={(person) => setAsked({ what: "role", person })}
              onRemove={(person) => setAsked({ what: "remove", person })}
            />
            {viewer.canAdmin && list.data.invitations.length > 0 && (
              <InvitationTable
                invitations={list.data.invitations}
                onAgain={(again) => setAsked({ what: "invite", again })}
                onWithdrawn={(id) => setFresh((shown) => (shown?.id === id ? null : shown))}
              />
            )}
          </>
        )}
        <p className="text-sm text-ink-muted">
          {viewer.canAdmin ? (
            <>
              Somebody forgot their password? Whoever runs this server sets a new one with{" "}
              <code className="text-xs wrap-anywhere">
                npm run cli -- user reset-password --email them@example.org
              </code>
              .
            </>
          ) : (
            "Admins and owners invite people and change what they may."
          )}
        </p>
      </div>
      {asked?.what === "invite" && (
        <InviteDialog
          again={asked.again}
          onClose={close}
          onInvited={(invitation) => {
            setFresh(invitation);
            close();
          }}
        />
      )}
      {asked?.what === "role" && <RoleDialog person={asked.person} onClose={close} />}
      {asked?.what === "remove" && <RemoveDialog person={asked.person} onClose={close} />}
    </>
  );
}
