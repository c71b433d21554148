import { randomBytes } from "node:crypto";
import type { Principal } from "@/server/access/principal";
import { BEGINNING, FIRST_QUERY, STYLE, signInPage } from "./graphiql-extras";

/** The page without its nonce: nine megabytes of editor, put together once and only when somebody asks. */
let page: Promise<[before: string, after: string]> | undefined;

/** GraphiQL for a signed-in person, all of it from here; for others, where to sign in. */
export async function answerGraphiql(person: Principal | null, requestId: string): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  if (!person) {
    const closed = `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'`;
    return toPage(401, signInPage(nonce), closed, requestId);
  }
  page ??= renderPage();
  const [before, after] = await page;
  const script = `<script nonce="${nonce}">`;
  const ours = `<style>${STYLE}</style>${script}${BEGINNING}</script>`;
  return toPage(200, `${before}${ours}${script}${after}`, policy(nonce), requestId);
}

async function renderPage(): Promise<[string, string]> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const html = renderGraphiQL({
    title: "GraphiQL · Tidemark",
    endpoint: "/api/graphql",
    defaultQuery: FIRST_QUERY,
    shouldPersistHeaders: false, // a token typed there would stay in the browser
  });
  const [before, after, ...more] = html.split("<script>\n");
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error("@graphql-yoga/render-graphiql has another page than the one this was written for");
  }
  return [before, after];
}

/**
 * What the page needs and no more: its one script by nonce, its editor's workers (blobs that the script
 * makes) and its editor's styles, which it makes as it goes and gives no nonce. It shows what the API
 * answers as text alone.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function toPage(status: 200 | 401, html: string, contentSecurityPolicy: string, requestId: string): Response {
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy,
      "x-request-id": requestId,
      vary: "accept, cookie",
    },
  });
}
