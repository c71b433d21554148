/**
 * Where to go after signing in: a path of this server, never another one's address.
 * `//evil.example` and `/\evil.example` are addresses of other servers to a browser.
 */
export function safeReturnTo(next: unknown): string {
  if (typeof next !== "string" || !/^\/(?![/\\])/.test(next)) return "/overview";
  const url = new URL(next, "http://here.invalid");
  const path = `${url.pathname}${url.search}`;
  // `/.//evil.example` begins with two slashes once its dot is resolved.
  return url.host === "here.invalid" && !path.startsWith("//") ? path : "/overview";
}
