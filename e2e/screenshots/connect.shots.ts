import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "@playwright/test";
import { AccessPages } from "../pages/access";
import { SourcesPage } from "../pages/sources";
import { PrivateSite } from "../private-site";
import { OWNER, serveApp } from "../serve-app";
import { photograph } from "./photograph";

const app = serveApp();
const PLACES = ["Harbour", "Pilot station", "Lock", "Lighthouse", "Ferry"];
const SECTIONS = PLACES.flatMap((place) => [`${place} news`, `${place} notices`]);
const secret = new PrivateSite();
let site: Server;
let url: string;
/** The second page of an archive comes when this is called. */
let letGo = () => {};

test.beforeAll(async () => {
  await secret.start();
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  site = createServer(async (request, response) => {
    const path = request.url ?? "/";
    if (path === "/plain") {
      return void response.setHeader("content-type", "text/html").end("<title>No feed</title><p>Nothing");
    }
    if (path === "/") {
      const links = SECTIONS.map(
        (title, index) =>
          `<link rel="alternate" type="application/rss+xml" title="${title}" href="/${index}.xml">`,
      );
      return void response
        .setHeader("content-type", "text/html")
        .end(`<title>Harbour</title>${links.join("")}`);
    }
    if (!/^\/(\d+\.xml|older)$/.test(path)) return void response.writeHead(404).end("no such page");
    if (path === "/older") await held;
    response.setHeader("content-type", "application/rss+xml").end(feedXml(path));
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  await secret.stop();
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

/** Forty items, and for the first feed an older page. */
function feedXml(path: string): string {
  const title = SECTIONS[Number(path.match(/\d+/)?.[0] ?? 0)] ?? "Harbour news";
  const items = Array.from(
    { length: 40 },
    (_, index) => `<item><guid isPermaLink="false">${path}-${index}</guid>
      <title>${title}: high water at ${String(index % 24).padStart(2, "0")}:40, no. ${index + 1}</title>
      <link>${url}/item</link><pubDate>${new Date(Date.UTC(2026, 5, 14, 9 - index)).toUTCString()}</pubDate></item>`,
  );
  const next = path === "/0.xml" ? `<atom:link rel="next" href="/older"/>` : "";
  return `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
    <title>${title}</title><link>${url}/</link><description>d</description>${next}${items.join("")}</channel></rss>`;
}

test("connecting, step by step", async ({ page }) => {
  const sources = new SourcesPage(page);
  await new AccessPages(page, app.url).signIn(OWNER);
  await page.goto(`${app.url}/sources/new`);
  await photograph(page, "connect-catalogue");
  await page.getByLabel("Search the catalogue").fill("newsletter");
  await page.getByRole("link", { name: /Substack/ }).waitFor();
  await photograph(page, "connect-catalogue-searched");
  await page.getByLabel("Search the catalogue").fill("telex");
  await page.getByText("Nothing here is called").waitFor();
  await photograph(page, "connect-catalogue-no-match");

  for (const type of ["rss", "substack"]) {
    await page.goto(`${app.url}/sources/new?type=${type}`);
    await page.getByRole("main").getByText("Settings", { exact: true }).click();
    const credentials = page.getByText("It asks for credentials");
    if (await credentials.isVisible()) await credentials.click();
    await photograph(page, `connect-configure-${type}`);
  }
  await page.goto(`${app.url}/sources/new?type=api`);
  await photograph(page, "connect-program");

  await page.goto(`${app.url}/sources/new?type=rss`);
  await page.getByRole("main").getByText("Settings", { exact: true }).click();
  await page.getByLabel(/^Archive pages/).fill("2000");
  await sources.findFeeds(url);
  await page.getByText("At most 1,000.").waitFor();
  await photograph(page, "connect-configure-invalid");
  for (const [name, address, says] of [
    ["connect-unreachable", `${url}/gone`, /404/],
    ["connect-private-network", "http://10.255.255.1/feed", /TIDEMARK_ALLOW_PRIVATE_NETWORKS/],
    ["connect-none-found", `${url}/plain`, /announces no feed/],
    ["connect-needs-credentials", secret.feedUrl, /401/],
  ] as const) {
    await page.goto(`${app.url}/sources/new`);
    await sources.findFeeds(address);
    await page.getByText(says).first().waitFor();
    await photograph(page, name);
  }

  await page.goto(`${app.url}/sources/new`);
  await sources.findFeeds(url);
  await page.getByRole("button", { name: "Connect 1 feed" }).waitFor();
  await photograph(page, "connect-choose-feeds");
  await page.getByRole("button", { name: "Choose all" }).click();
  await page.getByRole("button", { name: `Connect ${SECTIONS.length} feeds` }).click();
  await page.getByText("The first sync is under way").waitFor();
  await page.getByText(`${SECTIONS.length - 1} of ${SECTIONS.length} feeds are done.`).waitFor();
  await photograph(page, "connect-first-sync-running");
  const [run] = await app.sql<{ id: string }>("SELECT id FROM sync_runs WHERE status = 'running'");
  const first = page.url();
  await page.goto(`${app.url}/runs/${run?.id}`);
  await photograph(page, "run-running");
  await page.goto(`${app.url}/feeds`);
  await photograph(page, "feeds-syncing");
  letGo();
  await page.goto(first);
  await page.getByText("The first sync is done").waitFor();
  await photograph(page, "connect-first-sync-done");
  await page.goto(`${app.url}/overview`);
  await photograph(page, "overview-new");
});
