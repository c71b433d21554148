import type { Scope } from "@/server/access/principal";

/** What each scope lets a program do. */
export const SCOPE_WORDS: Record<Scope, string> = {
  "sources:read": "See sources and feeds",
  "sources:write": "Add, change and delete them",
  "documents:read": "Read documents",
  "documents:write": "Push and delete documents",
  "runs:read": "Read the audit trail",
  "runs:write": "Start and finish runs",
  "changes:read": "Follow the change feed",
  "search:read": "Search",
  admin: "Tokens, webhooks, held deletes and settings",
};
