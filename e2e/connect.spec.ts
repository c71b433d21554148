import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { SourcesPage } from "./pages/sources";
import { serveApp } from "./serve-app";

const app = serveApp();
const BASIC = `Basic ${Buffer.from("keeper:lamp oil").toString("base64")}`;
const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>Keeper's log</title><link>http://x.invalid/</link>
  <description>d</description><item><guid isPermaLink="false">1</guid><title>Lamp lit</title></item></channel></rss>`;
let site: Server;
let url: string;

test.beforeAll(async () => {
  site = createServer((request, response) => {
    const path = request.url ?? "/";
    if (path === "/private.xml" && request.headers.authorization !== BASIC) {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="log"' }).end("who are you");
    } else if (path === "/private.xml") {
      response.writeHead(200, { "Content-Type": "application/rss+xml" }).end(RSS);
    } else if (path === "/plain") {
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<!doctype html><title>No feed</title><p>Nothing");
    } else {
      response.writeHead(404).end("no such page");
    }
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(() => new Promise((resolve) => site.close(resolve)));

test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
  await page.goto(`${app.url}/sources/new`);
});

test("says what is wrong with an address, and saves nothing", async ({ page }) => {
  const sources = new SourcesPage(page);
  const problem = page
    .getByRole("alert")
    .filter({ hasText: /\S/ })
    .or(page.getByText("No feed was found there"));
  const cases = [
    { address: `${url}/plain`, says: /no feed/i },
    { address: `${url}/gone`, says: /404/ },
    { address: "http://10.255.255.1/feed", says: /TIDEMARK_ALLOW_PRIVATE_NETWORKS/ },
    { address: "ftp://example.org/feed", says: /http/ },
  ];
  for (const { address, says } of cases) {
    await sources.findFeeds(address);
    await expect(problem.first(), address).toContainText(says);
  }
  const [{ count }] = (await app.sql<{ count: string }>("SELECT count(*) FROM sources")) as [
    { count: string },
  ];
  expect(Number(count)).toBe(0);
});

test("connects a feed behind a password, and keeps the password to itself", async ({ page }) => {
  const sources = new SourcesPage(page);
  await sources.findFeeds(`${url}/private.xml`);
  await expect(page.getByRole("alert").filter({ hasText: /401/ })).toBeVisible();
  // What it asks for lies open by itself now.
  await page.getByLabel("User name").fill("keeper");
  await page.getByLabel("Password").fill("lamp oil");
  await page.getByRole("button", { name: "Find feeds" }).click();
  await page.getByRole("button", { name: "Connect 1 feed" }).click();
  await page.getByRole("link", { name: "Open the feed" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Keeper's log" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Lamp lit" })).toBeVisible();
  expect(await page.content()).not.toContain("lamp oil");
  const rows = await app.sql<{ row: string }>(
    "SELECT s::text AS row FROM sources s UNION ALL SELECT f::text FROM feeds f UNION ALL SELECT e::text FROM run_events e",
  );
  expect(rows.map(({ row }) => row).join()).not.toContain("lamp oil");
});
