"use client";

import { Ellipsis, LogOut, ShieldCheck, UserMinus } from "lucide-react";
import type { Person } from "@/app/(dashboard)/_lib/types";
import { useViewer, type Viewer } from "@/app/(dashboard)/_lib/viewer";
import { isOnlyOwner, mayChange } from "@/app/(dashboard)/settings/people/role-rules";
import { ROLE_WORDS } from "@/app/(dashboard)/settings/people/role-words";
import { IconButton } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { Menu, MenuItem } from "@/components/menu";
import { RelativeTime, RelativeTimeOrNever } from "@/components/relative-time";
import type { Column } from "@/components/table-column";

type Acts = { onRole(person: Person): void; onRemove(person: Person): void };

/** Everybody in the workspace, with what each may. */
export function PeopleTable({ people, ...acts }: { people: Person[] } & Acts) {
  const viewer = useViewer();
  return (
    <DataTable
      caption="People"
      columns={columns(people, viewer, acts)}
      rows={people}
      rowKey={(person) => person.id}
      rowLabel={(person) => person.name}
    />
  );
}

function columns(people: Person[], viewer: Viewer, acts: Acts): Column<Person>[] {
  const shown: Column<Person>[] = [
    {
      id: "name",
      header: "Name",
      cell: (person) => (
        <span title={person.name}>
          <span className="font-medium">{person.name}</span>
          {person.id === viewer.id && <span className="font-normal text-ink-muted"> · you</span>}
        </span>
      ),
    },
    {
      id: "email",
      header: "E-mail",
      cell: (person) => <span title={person.email}>{person.email}</span>,
    },
    {
      id: "role",
      header: "Role",
      width: "160px",
      cell: (person) => (
        <span title={ROLE_WORDS[person.role].may}>
          {ROLE_WORDS[person.role].name}
          {isOnlyOwner(person, people) && <span className="text-ink-muted"> · the only one</span>}
        </span>
      ),
    },
    {
      id: "joined",
      header: "Joined",
      width: "132px",
      from: "lg",
      cell: (person) => <RelativeTime at={person.joinedAt} />,
    },
  ];
  if (!viewer.canAdmin) return shown;
  return [
    ...shown,
    {
      id: "signed-in",
      header: "Last sign-in",
      width: "132px",
      from: "md",
      cell: (person) => <RelativeTimeOrNever at={person.lastSignInAt} />,
    },
    {
      id: "acts",
      header: <span className="sr-only">Acts</span>,
      width: "52px",
      isActions: true,
      cell: (person) =>
        mayChange(viewer.role, person, people) && (
          <PersonMenu person={person} isSelf={person.id === viewer.id} {...acts} />
        ),
    },
  ];
}

function PersonMenu({ person, isSelf, onRole, onRemove }: { person: Person; isSelf: boolean } & Acts) {
  return (
    <Menu
      trigger={
        <IconButton label={`Acts on ${person.name}`}>
          <Ellipsis aria-hidden size={16} />
        </IconButton>
      }
    >
      <MenuItem icon={<ShieldCheck aria-hidden size={15} />} onSelect={() => onRole(person)}>
        Change role…
      </MenuItem>
      <MenuItem
        icon={isSelf ? <LogOut aria-hidden size={15} /> : <UserMinus aria-hidden size={15} />}
        tone="bad"
        onSelect={() => onRemove(person)}
      >
        {isSelf ? "Leave workspace…" : "Remove…"}
      </MenuItem>
    </Menu>
  );
}
