import { randomBytes } from "node:crypto";

/** The caller's own `x-request-id` if it is harmless, else a fresh one. */
export function requestIdOf(headers: { get(name: string): string | null }): string {
  const given = headers.get("x-request-id");
  if (given !== null && /^[\w.:-]{1,100}$/.test(given)) return given;
  return `req_${randomBytes(12).toString("hex")}`;
}
