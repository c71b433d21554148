/**
 * Where to go after signing in: a path of this server, never another one's address.
 * `//evil.example` and `/\evil.example` are addresses of other servers to a browser.
 */
export function safeReturnTo(next: unknown): string {
  if (typeof next !== "string" || !/^\/(?![/\\])/.test(next)) return "/sources";
  const url = new URL(next, "http://here.invalid");
  return url.host === "here.invalid" ? `${url.pathname}${url.search}` : "/sources";
}
