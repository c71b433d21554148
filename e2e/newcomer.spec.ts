import { expect, type Page, test } from "@playwright/test";
import { openLive } from "./pages/open-live";
import { SourcesPage } from "./pages/sources";
import { serveApp } from "./serve-app";
import { Upstream } from "./upstream";

const app = serveApp();
const upstream = new Upstream();
test.beforeAll(() => upstream.start());
test.afterAll(() => upstream.stop());

/** From the list of sources to the first document's own page. */
const LIMIT_MS = 60_000;
const LIMIT_CLICKS = 5;

test.beforeEach(async ({ page }) => {
  upstream.items = [{ id: "t-1", title: "Spring tide", html: "<p>High water 5.4 m</p>" }];
  await app.signIn(page.context());
  await openLive(page, `${app.url}/sources`);
});

async function expectDocument(page: Page) {
  await expect(page.getByRole("heading", { level: 1, name: "Spring tide" })).toBeVisible();
  await expect(page.getByText("High water 5.4 m")).toBeVisible();
}

test("a newcomer connects a site and sees its first document within a minute", async ({ page }) => {
  let clicks = 0;
  const click = async (target: ReturnType<Page["getByRole"]>) => {
    clicks++;
    await target.click();
  };
  const began = Date.now();
  await click(page.getByRole("link", { name: "Add source" }));
  await new SourcesPage(page).address.fill(upstream.url);
  await click(page.getByRole("button", { name: "Find feeds" }));
  await click(page.getByRole("button", { name: "Connect 1 feed" }));
  await expect(page.getByText("The first sync is done: 1 document.")).toBeVisible();
  const numbers = page.getByLabel("Numbers of the first sync");
  await expect(numbers).toContainText("Pages1");
  await expect(numbers).toContainText("Documents1");
  await click(page.getByRole("link", { name: "Spring tide" }));
  await expectDocument(page);
  expect(Date.now() - began).toBeLessThan(LIMIT_MS);
  expect(clicks).toBeLessThanOrEqual(LIMIT_CLICKS);
});

test("does the same by keyboard alone", async ({ page }) => {
  const began = Date.now();
  const { keyboard } = page;
  await keyboard.press("Control+k");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  await keyboard.type("add source");
  await keyboard.press("Enter");
  await expect(new SourcesPage(page).address).toBeFocused();
  await keyboard.type(upstream.url);
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Connect 1 feed" })).toBeFocused();
  await keyboard.press("Enter");
  const status = page.getByText("The first sync is done: 1 document.");
  await expect(status).toBeFocused();
  const link = page.getByRole("link", { name: "Spring tide" });
  await expect(link).toBeVisible();
  await expect(async () => {
    await keyboard.press("Tab");
    await expect(link).toBeFocused({ timeout: 50 });
  }).toPass({ intervals: [0] });
  await keyboard.press("Enter");
  await expectDocument(page);
  expect(Date.now() - began).toBeLessThan(LIMIT_MS);
});

test("connects any adapter of the catalogue, with a form made from its schema", async ({ page }) => {
  await page.goto(`${app.url}/sources/new`);
  await page.getByLabel("Search the catalogue").fill("newsletter");
  await expect(page.getByRole("link", { name: /Website or feed/ })).toHaveCount(0);
  await page.getByRole("link", { name: /Substack/ }).click();
  await expect(page).toHaveURL(/type=substack/);
  await expect(page.getByLabel("Address of the publication")).toBeFocused();
  await page.getByRole("link", { name: "Connect something else" }).click();
  await page.getByRole("link", { name: /Website or feed/ }).click();

  await page.getByRole("main").getByText("Settings").click();
  const pages = page.getByLabel(/^Archive pages/);
  await expect(pages).toHaveValue("50");
  await pages.fill("2000");
  await new SourcesPage(page).findFeeds(upstream.url);
  await expect(pages).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("At most 1,000.")).toBeVisible();
  await pages.fill("7");
  await page.getByRole("button", { name: "Find feeds" }).click();
  await page.getByLabel("Name of the source").fill("Shallow");
  await page.getByRole("button", { name: "Connect 1 feed" }).click();
  await expect(page.getByText("The first sync is done: 1 document.")).toBeVisible();
  const [row] = await app.sql<{ config: unknown }>("SELECT config FROM sources WHERE name = 'Shallow'");
  expect(row?.config).toEqual({ archivePages: 7 });
});
