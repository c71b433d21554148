import { expect, it } from "vitest";
import type { Person } from "@/app/(dashboard)/_lib/types";
import type { Role } from "@/app/(dashboard)/_lib/viewer";
import { grantableRoles, isOnlyOwner, mayChange } from "./role-rules";

const person = (role: Role): Person => ({
  id: role,
  name: role,
  email: `${role}@example.org`,
  role,
  joinedAt: new Date(0),
  lastSignInAt: null,
  tokenCount: 0,
});

it("offers what the server would take: nobody above oneself, and an owner stays", () => {
  expect(grantableRoles("member")).toEqual([]);
  expect(grantableRoles("admin")).toEqual(["viewer", "member", "admin"]);
  const people = [person("owner"), person("admin"), person("viewer")];
  expect(people.filter((one) => mayChange("admin", one, people)).map(({ role }) => role)).toEqual([
    "admin",
    "viewer",
  ]);
  expect(isOnlyOwner(person("owner"), people)).toBe(true);
  expect(mayChange("owner", person("owner"), people)).toBe(false);
  expect(mayChange("owner", person("owner"), [...people, person("owner")])).toBe(true);
  expect(mayChange("viewer", person("viewer"), people)).toBe(false);
});
