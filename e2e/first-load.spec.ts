import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { mutate } from "./api";
import { fillWorkspace } from "./sample";
import { serveApp } from "./serve-app";
import { Upstream } from "./upstream";

const app = serveApp();
const upstream = new Upstream();
test.beforeAll(() => upstream.start());
test.afterAll(() => upstream.stop());

/**
 * Compressed, as a browser fetches it before a page works; kilobytes of 1,000 bytes. No page may pass the
 * limit, and none may grow past its own number unnoticed.
 *
 * Every page carries React and Next's router (122 kB) and React Query with tRPC (21 kB); lists add TanStack
 * Table and nuqs (about 20 kB). What nobody opened yet is fetched later and does not count: menus,
 * questions, explanations, toasts, the palette, charts, tabs, and the live connection.
 */
const LIMIT_KB = 250;
const AT_MOST_KB: Record<string, number> = {
  "/overview": 205,
  "/sources": 227,
  "/sources/new": 215,
  "/sources/import": 201,
  "/sources/[sourceId]": 230,
  "/feeds": 225,
  "/feeds/[feedId]": 240,
  "/documents": 236,
  "/documents/[documentId]": 198,
  "/runs": 224,
  "/runs/[runId]": 206,
  "/tokens": 237,
  "/changes": 242,
  "/webhooks": 216,
  "/webhooks/[webhookId]": 223,
  "/settings": 206,
  "/settings/people": 218,
  "/settings/account": 203,
  "/invite/[token]": 196,
};

test("loads no page with more script than a slow line bears", async () => {
  const request = app.asOwner;
  const sample = await fillWorkspace(request, app.url, upstream);
  const { id: webhookId } = await mutate<{ id: string }>(request, app.url, "webhooks.create", {
    url: "https://example.org/hook",
    events: ["run.failed"],
  });
  const { token } = await mutate<{ token: string }>(request, app.url, "people.invite", {
    email: "bo@example.org",
    role: "member",
  });
  const routes: Record<string, string> = {
    "/overview": "/overview",
    "/sources": "/sources",
    "/sources/new": "/sources/new",
    "/sources/import": "/sources/import",
    "/sources/[sourceId]": `/sources/${sample.sourceId}`,
    "/feeds": "/feeds",
    "/feeds/[feedId]": `/feeds/${sample.feedId}`,
    "/documents": "/documents",
    "/documents/[documentId]": `/documents/${sample.documentId}`,
    "/runs": "/runs",
    "/runs/[runId]": `/runs/${sample.runId}`,
    "/tokens": "/tokens",
    "/changes": "/changes",
    "/webhooks": "/webhooks",
    "/webhooks/[webhookId]": `/webhooks/${webhookId}`,
    "/settings": "/settings",
    "/settings/people": "/settings/people",
    "/settings/account": "/settings/account",
    "/invite/[token]": `/invite/${token}`,
  };
  const sizes = new Map<string, number>();
  const kilobytes: Record<string, number> = {};
  for (const [route, path] of Object.entries(routes)) {
    const html = await (await request.get(`${app.url}${path}`)).text();
    // Browsers that know modules never fetch what is marked for those that do not.
    const tags = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"[^>]*>/g)].filter(
      ([tag]) => !/\bnomodule\b/i.test(tag),
    );
    const scripts = new Set(tags.map(([, source = ""]) => source.replaceAll("&amp;", "&")));
    expect(scripts.size, route).toBeGreaterThan(2);
    let total = 0;
    for (const source of scripts) {
      let size = sizes.get(source);
      if (size === undefined) {
        size = gzipSync(await (await request.get(new URL(source, app.url).href)).body()).length;
        sizes.set(source, size);
      }
      total += size;
    }
    kilobytes[route] = Math.round(total / 100) / 10;
  }
  mkdirSync("test-results", { recursive: true });
  writeFileSync("test-results/first-load.json", `${JSON.stringify(kilobytes, null, 2)}\n`);
  console.table(kilobytes);
  for (const [route, size] of Object.entries(kilobytes)) {
    expect(size, route).toBeLessThan(AT_MOST_KB[route] ?? LIMIT_KB);
  }
});
