import type { Person } from "@/app/(dashboard)/_lib/types";
import type { Role } from "@/app/(dashboard)/_lib/viewer";
import { ROLES } from "@/server/people/choices";

/** The roles that somebody with this one may give. The server decides again (server/people/lock-people.ts). */
export function grantableRoles(own: Role): readonly Role[] {
  if (own === "owner") return ROLES;
  return own === "admin" ? ROLES.filter((role) => role !== "owner") : [];
}

/** The one owner there is: neither removed nor of another role until there is a second. */
export function isOnlyOwner(person: Person, people: readonly Person[]): boolean {
  return person.role === "owner" && people.filter(({ role }) => role === "owner").length === 1;
}

/** May a viewer of this role change or remove this person? */
export function mayChange(own: Role, person: Person, people: readonly Person[]): boolean {
  return grantableRoles(own).includes(person.role) && !isOnlyOwner(person, people);
}
