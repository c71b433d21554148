import { expect, it } from "vitest";
import type { Role } from "@/server/db";
import {
  isScope,
  type Principal,
  requireGrantable,
  requireScope,
  SCOPES,
  type Scope,
  scopesOfRole,
} from "./principal";

function aPrincipal(scopes: Scope[], role: Role | null = null): Principal {
  const actor = { type: "token", id: "tok_1", name: "x" } as const;
  return { caller: { workspaceId: 1, actor }, scopes: new Set(scopes), role, userId: null, tokenId: "tok_1" };
}

// The full table: a new role or scope does not compile, or fails here, until someone decides.
const ALLOWED: Record<Role, Record<Scope, boolean>> = {
  viewer: table(["sources:read", "documents:read", "runs:read", "changes:read", "search:read"]),
  member: table(SCOPES.filter((scope) => scope !== "admin")),
  admin: table(SCOPES),
  owner: table(SCOPES),
};

function table(allowed: readonly Scope[]) {
  return Object.fromEntries(SCOPES.map((scope) => [scope, allowed.includes(scope)])) as Record<
    Scope,
    boolean
  >;
}

it.each(Object.keys(ALLOWED) as Role[])("gives a %s exactly their scopes", (role) => {
  for (const scope of SCOPES) {
    expect([scope, scopesOfRole(role).has(scope)]).toEqual([scope, ALLOWED[role][scope]]);
  }
});

it("names the scope that is missing", () => {
  expect(() => requireScope(aPrincipal(["sources:read"]), "sources:write")).toThrow(
    expect.objectContaining({ code: "forbidden", message: expect.stringContaining('"sources:write"') }),
  );
  expect(() => requireScope(aPrincipal([], "viewer"), "admin")).toThrow(/Your role \(viewer\)/);
  expect(() => requireScope(aPrincipal(["admin"]), "admin")).not.toThrow();
});

it("lets admin stand for nothing but itself", () => {
  expect(() => requireScope(aPrincipal(["admin"]), "documents:write")).toThrow(/documents:write/);
  expect(() => requireGrantable(aPrincipal(["admin"]), ["admin", "changes:read"])).toThrow(/changes:read/);
  expect(() => requireGrantable(aPrincipal([...SCOPES]), SCOPES)).not.toThrow();
});

it("knows a scope from anything else", () => {
  expect(isScope("changes:read")).toBe(true);
  expect(isScope("changes:write")).toBe(false);
  expect(isScope("toString")).toBe(false);
});
