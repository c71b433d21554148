import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { mutate, query } from "./api";
import { openOverview } from "./pages/overview";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";

const app = serveApp();
let feedId: string;
let runId: string;

test.beforeAll(async () => {
  const source = await mutate<{ id: string }>(app.asOwner, app.url, "sources.create", {
    type: "api",
    name: "Sensor readings",
    feeds: [{ externalKey: "default", name: "Buoy 7" }],
  });
  feedId = await onlyFeed(app.asOwner, app.url, source.id);
  await mutate(app.asOwner, app.url, "ingest.documents", { feedId, documents: [{ id: "a", title: "A" }] });
  const runs = await query<{ items: { id: string }[] }>(app.asOwner, app.url, "runs.list", {});
  runId = runs.items[0]?.id ?? "";
});
test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
});

async function go(page: Page, text: string, option: RegExp) {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  await page.keyboard.type(text);
  await expect(page.getByRole("option", { name: option })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("goes to pages, feeds and pasted ids from the palette, by keyboard", async ({ page }) => {
  await openOverview(page, app.url);
  await go(page, "runs", /Runs/);
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await go(page, "buoy", /Buoy 7/);
  await expect(page.getByRole("heading", { level: 1, name: "Buoy 7" })).toBeVisible();
  await go(page, ` "runId":"${runId}",`, /Open run/);
  await expect(page).toHaveURL(`${app.url}/runs/${runId}`);
  await go(page, "dark", /Dark theme/);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
});

test("goes to a page after g, shows every key after ?, and leaves typed text alone", async ({ page }) => {
  await openOverview(page, app.url);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  const search = page.getByRole("button", { name: "Search and commands" });
  await search.focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toContainText("Go to Sources");
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(search).toBeFocused();
  await expect(page).toHaveURL(/\/runs/);

  await page.goto(`${app.url}/sources/new`);
  await page.keyboard.type("gs?");
  await expect(page.getByLabel("Site or feed address")).toHaveValue("gs?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("has no serious accessibility fault in what lies in front or imports", async ({ page }) => {
  await page.goto(`${app.url}/sources/new?type=rss`);
  await page.getByRole("main").getByText("Settings").click();
  await page.getByText("It asks for credentials").click();
  await expectAccessible(page, "configure");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessible(page, "palette");
  await page.getByRole("dialog").getByRole("combobox").fill("no such thing");
  await expect(page.getByText("Nothing is called")).toBeVisible();
  await expectAccessible(page, "palette without a match");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
  await expectAccessible(page, "help sheet");
  await page.goto(`${app.url}/sources/import`);
  await page.getByText("Paste its text instead").click();
  await page.getByLabel("OPML", { exact: true }).fill(
    `<opml><body><outline text="News"><outline text="One" xmlUrl="http://127.0.0.1:9/a.xml"/>
       <outline text="Again" xmlUrl="http://127.0.0.1:9/a.xml"/><outline text="Bad" xmlUrl="nothing"/></outline></body></opml>`,
  );
  await page.getByRole("button", { name: "Read the text" }).click();
  await expect(page.getByText("1 new feed, 1 duplicate, 1 entry that cannot be read")).toBeVisible();
  await expectAccessible(page, "OPML preview");
});
