"use client";

import { type Role, useViewer } from "@/app/(dashboard)/_lib/viewer";
import { grantableRoles } from "@/app/(dashboard)/settings/people/role-rules";
import { ROLE_WORDS } from "@/app/(dashboard)/settings/people/role-words";
import { RadioGroup } from "@/components/fieldset";

/** The roles that the viewer may give, each with what it means. */
export function RoleChoice({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const viewer = useViewer();
  return (
    <RadioGroup
      legend="Role"
      choices={grantableRoles(viewer.role).map((role) => ({
        value: role,
        label: ROLE_WORDS[role].name,
        hint: ROLE_WORDS[role].may,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
