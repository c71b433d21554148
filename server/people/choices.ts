/** Apart from schema.ts, so that pages can use it without the parser that brings along. */

/** From the least to the most, as the database orders its own type. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;

/** How long a link is good: over a weekend and a few days off, no longer. */
export const INVITATION_DAYS = 7;
