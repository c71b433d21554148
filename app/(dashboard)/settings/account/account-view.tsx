"use client";

import { useState } from "react";
import { SignOutEverywhereDialog } from "@/app/(dashboard)/_components/sign-out-everywhere-dialog";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { PasswordForm } from "@/app/(dashboard)/settings/account/password-form";
import { NameForm } from "@/app/(dashboard)/settings/name-form";
import { ROLE_WORDS } from "@/app/(dashboard)/settings/people/role-words";
import { SettingsHeader } from "@/app/(dashboard)/settings/settings-header";
import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { useTRPCClient } from "@/trpc/client";

/** What people change about themselves. */
export function AccountView() {
  const client = useTRPCClient();
  const viewer = useViewer();
  const [isLeaving, setLeaving] = useState(false);
  const role = ROLE_WORDS[viewer.role];
  return (
    <>
      <SettingsHeader />
      <div className="grid items-start gap-4 lg:grid-cols-3 [&>*]:min-w-0">
        <Panel title="You">
          <div className="space-y-4 text-sm">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
              <dt className="text-ink-muted">E-mail</dt>
              <dd className="break-words">{viewer.email}</dd>
              <dt className="text-ink-muted">Role</dt>
              <dd>
                {role.name} of {viewer.workspaceName}
                <span className="block text-xs text-ink-muted">{role.may}</span>
              </dd>
            </dl>
            <NameForm
              key={viewer.name}
              label="Name"
              name={viewer.name}
              autoComplete="name"
              rename={(name) => client.account.rename.mutate({ name })}
              done={(name) => `You are called ${name}`}
            />
          </div>
        </Panel>
        <Panel title="Password">
          <PasswordForm />
        </Panel>
        <Panel title="Sessions">
          <div className="space-y-3 text-sm">
            <p className="text-ink-muted">
              A sign-in lasts 30 days. End them all if a device was lost or somebody else was signed in as
              you.
            </p>
            <Button onClick={() => setLeaving(true)}>Sign out everywhere…</Button>
          </div>
        </Panel>
      </div>
      <SignOutEverywhereDialog open={isLeaving} onOpenChange={setLeaving} />
    </>
  );
}
