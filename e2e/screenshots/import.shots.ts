import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "@playwright/test";
import { AccessPages } from "../pages/access";
import { OWNER, serveApp } from "../serve-app";
import { photograph } from "./photograph";

const app = serveApp();
let site: Server;
let url: string;

test.beforeAll(async () => {
  site = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(() => new Promise((resolve) => site.close(resolve)));

function opml(): string {
  const outline = (number: number) =>
    `<outline type="rss" text="Harbour ${number}: tides and notices" xmlUrl="${url}/harbour-${number}.xml"/>`;
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => outline(from + index)).join("");
  return `<?xml version="1.0"?><opml version="2.0"><head><title>My reading</title></head><body>
    <outline text="North"><outline text="Fjords">${many(0, 40)}</outline>${many(40, 30)}</outline>
    <outline text="South">${many(70, 60)}</outline>
    ${outline(0)}<outline text="Nowhere" type="rss" xmlUrl=""/></body></opml>`;
}

test("importing, step by step", async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  await page.goto(`${app.url}/sources/import`);
  await photograph(page, "import-choose");
  await page.getByText("Paste its text instead").click();
  await page.getByLabel("OPML", { exact: true }).fill("<html>not at all</html>");
  await page.getByRole("button", { name: "Read the text" }).click();
  await page.getByText("The file could not be read").waitFor();
  await photograph(page, "import-refused");
  await page.getByLabel("OPML", { exact: true }).fill(opml());
  await page.getByRole("button", { name: "Read the text" }).click();
  await page.getByText(/130 new feeds/).waitFor();
  await page.getByRole("checkbox", { name: "Fjords" }).uncheck();
  await photograph(page, "import-preview");
  await page.getByRole("checkbox", { name: "Fjords" }).check();

  // The import goes call by call: the second waits until the picture is taken.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let calls = 0;
  await page.route("**/api/trpc/opml.import**", async (route) => {
    if (++calls > 1) await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Import 130 feeds" }).click();
  await page.getByText(/^[1-9]\d* of 130 feeds done/).waitFor();
  await photograph(page, "import-progress");
  letGo();
  await page.getByText("Imported 130 feeds.").waitFor({ timeout: 90_000 });
  await photograph(page, "import-done");
  await page.goto(`${app.url}/sources`);
  await photograph(page, "sources-imported");
});
