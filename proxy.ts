import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy, STRICT_TRANSPORT } from "@/server/access/browser-policy";
import { requestOrigin } from "@/server/access/peer";

/**
 * Runs before every page. Next reads the nonce from the policy in the request's headers and puts it on
 * the scripts it writes; the same policy goes to the browser. Headers that never change are in
 * next.config.mjs.
 */
export function proxy(request: NextRequest): NextResponse {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"));
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy); // whatever the client sent under this name is gone
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  // Over plain http browsers ignore it, but a server that is reached both ways should not promise it.
  if (requestOrigin(request.headers).startsWith("https:")) {
    response.headers.set("strict-transport-security", STRICT_TRANSPORT);
  }
  return response;
}

export const config = {
  // Not the API, whose bodies would be copied on their way, nor files that never change.
  matcher: ["/((?!api/|_next/static/|_next/image).*)"],
};
