import type { NextApiRequest, NextApiResponse } from "next";
import NextAuthModule from "next-auth";
import { authOptions } from "@/server/access/auth-options";
import { isForeignPage, requestOrigin } from "@/server/access/peer";
import { AppError } from "@/server/errors";
import { readBody } from "@/server/rest/read-body";

/** What NextAuth serves here. `_log` is not among them: it would let anyone write into our log. */
const ACTIONS = new Set(["csrf", "providers", "session", "signin", "signout", "callback", "error"]);
const MAX_BODY_BYTES = 16 * 1024;

/**
 * Answers `/api/auth/…` on whatever host and port the request came in by.
 *
 * NextAuth 4 takes its own URL from NEXTAUTH_URL, or with AUTH_TRUST_HOST from x-forwarded-host and
 * -proto. Here it gets both headers from requestOrigin, so TIDEMARK_URL decides, else the request. It
 * is called the Pages Router's way, because its App Router entry reads the request's headers past us.
 */
export async function handleAuth(request: Request, path: readonly string[]): Promise<Response> {
  if (!ACTIONS.has(path[0] ?? "")) return new Response(null, { status: 404 });
  if (request.method === "POST" && isForeignPage(request.headers)) return new Response(null, { status: 403 });
  const body = await readForm(request);
  if (body === null) return new Response(null, { status: 413 });

  process.env.AUTH_TRUST_HOST = "1";
  delete process.env.NEXTAUTH_URL; // would win over the request, on every host
  const origin = new URL(requestOrigin(request.headers));
  const headers: Record<string, string> = {
    ...Object.fromEntries(request.headers),
    "x-forwarded-host": origin.host,
    "x-forwarded-proto": origin.protocol.slice(0, -1),
  };
  const collected = new ResponseCollector();
  await nextAuth(
    {
      method: request.method,
      headers,
      cookies: parseCookies(headers.cookie),
      query: { ...Object.fromEntries(new URL(request.url).searchParams), nextauth: [...path] },
      body,
    } as unknown as NextApiRequest,
    collected as unknown as NextApiResponse,
    authOptions(),
  );
  return collected.toResponse();
}

// CommonJS seen from an ES module: bundlers and Node disagree on what `default` is.
const nextAuth =
  typeof NextAuthModule === "function"
    ? NextAuthModule
    : (NextAuthModule as { default: typeof NextAuthModule }).default;

/** The little of Node's response that NextAuth uses. */
class ResponseCollector {
  private statusCode = 200;
  private readonly headers = new Headers({ "Cache-Control": "private, no-store" });
  private body: string | null = null;

  status(code: number): this {
    this.statusCode = code;
    return this;
  }
  getHeader(name: string): string[] | string | undefined {
    return name.toLowerCase() === "set-cookie"
      ? this.headers.getSetCookie()
      : (this.headers.get(name) ?? undefined);
  }
  setHeader(name: string, value: string | readonly string[]): this {
    this.headers.delete(name);
    for (const one of typeof value === "string" ? [value] : value) this.headers.append(name, one);
    return this;
  }
  json(value: unknown): void {
    this.setHeader("Content-Type", "application/json");
    this.body = JSON.stringify(value);
  }
  send(value: unknown): void {
    if (typeof value === "object" && value !== null) this.json(value);
    else this.body = value === undefined ? null : String(value);
  }
  end(): void {}

  toResponse(): Response {
    return new Response(this.body, { status: this.statusCode, headers: this.headers });
  }
}

async function readText(request: Request): Promise<string | null> {
  try {
    return (await readBody(request, MAX_BODY_BYTES)).toString("utf8");
  } catch (error) {
    if (error instanceof AppError && error.code === "body_too_large") return null;
    throw error;
  }
}

/** @returns null when the body is larger than any sign-in form. */
async function readForm(request: Request): Promise<Record<string, unknown> | undefined | null> {
  if (request.method !== "POST") return undefined;
  const text = await readText(request);
  if (text === null) return null;
  if (!request.headers.get("content-type")?.includes("application/json")) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function parseCookies(header: string | undefined): Record<string, string> {
  const pairs = (header ?? "").split(";").flatMap((pair) => {
    const [name, ...value] = pair.split("=");
    return name?.trim() ? [[name.trim(), decode(value.join("=").trim())] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
