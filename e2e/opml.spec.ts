import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { openOverview } from "./pages/overview";
import { serveApp } from "./serve-app";

const app = serveApp();
const FEEDS = 200;
const PAUSED = 20;
let site: Server;
let url: string;

test.beforeAll(async () => {
  site = createServer((request, response) => {
    const number = /^\/feed-(\d+)\.xml$/.exec(request.url ?? "")?.[1];
    response.setHeader("content-type", "application/rss+xml").end(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed ${number}</title><link>${url}/</link>
       <description>d</description><item><guid isPermaLink="false">${number}</guid><title>Item</title></item></channel></rss>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

/** Two hundred feeds in nested folders, one of them twice, one without an address. */
function opml(from: number, count: number): string {
  const outline = (number: number) =>
    `<outline type="rss" text="Feed ${String(number).padStart(3, "0")}" xmlUrl="${url}/feed-${number}.xml"/>`;
  const half = Array.from({ length: count / 2 }, (_, index) => outline(from + index)).join("");
  const rest = Array.from({ length: count / 2 }, (_, index) => outline(from + count / 2 + index)).join("");
  return `<?xml version="1.0"?><opml version="2.0"><head><title>My reading</title></head><body>
    <outline text="News"><outline text="Local">${half}</outline>${rest}</outline>
    ${outline(from)}<outline text="Nowhere" type="rss" xmlUrl=""/></body></opml>`;
}

async function paused(): Promise<number> {
  const rows = await app.sql<{ count: string }>("SELECT count(*) FROM feeds WHERE state = 'paused'");
  return Number(rows[0]?.count);
}

test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
});

test("a person imports 200 feeds, watches the progress, pauses 20 in bulk and undoes it", async ({
  page,
}) => {
  test.setTimeout(240_000);
  await test.step("the file shows its folders, its duplicate and what cannot be read", async () => {
    await page.goto(`${app.url}/sources`);
    await page.getByRole("link", { name: "Import OPML" }).click();
    await page.getByLabel("OPML file").setInputFiles({
      name: "reading.opml",
      mimeType: "text/x-opml",
      buffer: Buffer.from(opml(0, FEEDS)),
    });
    await expect(page.getByText("200 new feeds, 1 duplicate, 1 entry that cannot be read")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "News" })).toBeChecked();
    const local = page.getByRole("checkbox", { name: "Local" });
    await local.uncheck();
    await expect(page.getByRole("button", { name: "Import 100 feeds" })).toBeVisible();
    await local.check();
  });

  await test.step("the import tells how far it is, then what became of each", async () => {
    await page.getByRole("button", { name: "Import 200 feeds" }).click();
    await expect(page.getByText(/^\d+ of 200 feeds done\.$/)).toBeVisible();
    const bar = page.getByRole("progressbar", { name: "Import" });
    await expect.poll(() => bar.evaluate((node: HTMLProgressElement) => node.value)).toBeGreaterThan(0);
    await expect(page.getByText("Imported 200 feeds.")).toBeVisible({ timeout: 90_000 });
    await expect(page.getByText("Connected")).toHaveCount(FEEDS);
  });

  await test.step("twenty are paused at once", async () => {
    await page.getByRole("link", { name: "See your sources" }).click();
    await page.getByRole("link", { name: "All feeds" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Feeds" })).toBeVisible();
    const boxes = page.getByRole("checkbox", { name: /^Select Feed/ });
    await expect(boxes.nth(PAUSED)).toBeAttached();
    for (let index = 0; index < PAUSED; index++) await boxes.nth(index).check();
    await page.getByRole("button", { name: `Pause ${PAUSED} feeds` }).click();
    await expect(page.getByText(`Paused ${PAUSED} feeds`)).toBeVisible();
    expect(await paused()).toBe(PAUSED);
  });

  await test.step("and set going again", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText(`Resumed ${PAUSED} feeds`)).toBeVisible();
    expect(await paused()).toBe(0);
  });

  await test.step("the same file again brings nothing twice", async () => {
    await page.goto(`${app.url}/sources/import`);
    await page.getByText("Paste its text instead").click();
    await page.getByLabel("OPML", { exact: true }).fill(opml(0, FEEDS));
    await page.getByRole("button", { name: "Read the text" }).click();
    await expect(page.getByText("0 new feeds, 201 duplicates, 1 entry that cannot be read")).toBeVisible();
    await expect(page.getByRole("button", { name: "Import 0 feeds" })).toBeDisabled();
  });

  await test.step("the export holds them all, in their folders", async () => {
    await page.goto(`${app.url}/sources`);
    await page.getByRole("button", { name: "Import and export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export OPML" }).click();
    const path = await (await download).path();
    const { readFileSync } = await import("node:fs");
    const text = readFileSync(path, "utf8");
    expect(text.match(/xmlUrl=/g)).toHaveLength(FEEDS);
    expect(text).toMatch(/text="News">\s*<outline text="Local">/);
  });
});

test("does the same by keyboard alone", async ({ page }) => {
  const { keyboard } = page;
  const tabTo = async (target: ReturnType<Page["getByRole"]>) => {
    await expect(target).toBeVisible();
    await expect(async () => {
      await keyboard.press("Tab");
      await expect(target).toBeFocused({ timeout: 50 });
    }).toPass({ intervals: [0] });
  };
  await openOverview(page, app.url);
  await keyboard.press("Control+k");
  await keyboard.type("import opml");
  await expect(page.getByRole("option", { name: "Import OPML" })).toHaveAttribute("aria-selected", "true");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Import OPML" })).toBeVisible();
  const fold = page.getByText("Paste its text instead");
  await tabTo(fold);
  await keyboard.press("Enter");
  await tabTo(page.getByLabel("OPML", { exact: true }));
  await keyboard.insertText(opml(5000, 10));
  await tabTo(page.getByRole("button", { name: "Read the text" }));
  await keyboard.press("Enter");
  await tabTo(page.getByRole("button", { name: "Import 10 feeds" }));
  await keyboard.press("Enter");
  await expect(page.getByText("Imported 10 feeds.")).toBeFocused();

  await page.goto(`${app.url}/feeds?q=feed-500`);
  // By their address until the first sync brought a title.
  await expect(page.getByRole("checkbox", { name: /^Select (Feed|http)/ })).toHaveCount(10);
  await tabTo(page.getByRole("checkbox", { name: "Select all rows" }));
  await keyboard.press("Space");
  await tabTo(page.getByRole("button", { name: "Pause 10 feeds" }));
  await keyboard.press("Enter");
  await expect(page.getByText("Paused 10 feeds")).toBeVisible();
  await tabTo(page.getByRole("button", { name: "Undo" }));
  await keyboard.press("Enter");
  await expect(page.getByText("Resumed 10 feeds")).toBeVisible();
});
