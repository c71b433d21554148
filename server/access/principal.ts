import type { Caller } from "@/server/actor";
import type { Role } from "@/server/db";
import { AppError } from "@/server/errors";

/** What a token may be allowed to do; a person's role stands for a set of them. */
export const SCOPES = [
  "sources:read",
  "sources:write",
  "documents:read",
  "documents:write",
  "runs:read",
  "runs:write",
  "changes:read",
  "search:read",
  "admin",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Who asks and what they may do. Made by authenticate-token.ts and session.ts alone. */
export type Principal = {
  caller: Caller;
  scopes: ReadonlySet<Scope>;
  /** Null for tokens: they have scopes only. */
  role: Role | null;
  userId: string | null;
  tokenId: string | null;
  /** Of the cookie that was shown; what outlives a request asks whether it still holds. */
  sessionVersion?: number;
};

const READ: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(":read"));
const WRITE: readonly Scope[] = [...READ, "sources:write", "documents:write", "runs:write"];

/** The owner's surplus over an admin is the workspace itself, which checks `role`. */
const SCOPES_OF_ROLE: Record<Role, ReadonlySet<Scope>> = {
  viewer: new Set(READ),
  member: new Set(WRITE),
  admin: new Set(SCOPES),
  owner: new Set(SCOPES),
};

export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  return SCOPES_OF_ROLE[role];
}

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/** @throws AppError forbidden, naming the scope that is missing. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.has(scope)) return;
  const message = principal.role
    ? `Your role (${principal.role}) does not allow this: it needs "${scope}". Ask an admin of the workspace.`
    : `This token lacks the scope "${scope}". Create one that has it.`;
  throw new AppError("forbidden", message, { extra: { missingScope: scope } });
}

/**
 * Nobody hands out more than they have: a token with `admin` alone must not mint one with
 * everything. Asked before createToken by every transport.
 *
 * @throws AppError forbidden, naming the first scope that is missing.
 */
export function requireGrantable(principal: Principal, scopes: readonly Scope[]): void {
  for (const scope of scopes) requireScope(principal, scope);
}
