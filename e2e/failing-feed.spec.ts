import { expect, type Locator, type Page, test } from "@playwright/test";
import { mutate } from "./api";
import { FeedPage } from "./pages/feed";
import { PrivateSite } from "./private-site";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";

const app = serveApp();
const site = new PrivateSite();
const FLEET = 299;

test.beforeAll(() => site.start());
test.afterAll(() => site.stop());

test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
});

/** 299 feeds that are well, and one whose site asks for credentials that nobody entered. */
async function seed(page: Page, name: string): Promise<string> {
  const { request } = page;
  await mutate(request, app.url, "sources.create", {
    type: "api",
    name: `${name} fleet`,
    feeds: Array.from({ length: FLEET }, (_, index) => ({
      externalKey: `buoy-${index}`,
      name: `${name} buoy ${index + 1}`,
    })),
  });
  const source = await mutate<{ id: string }>(request, app.url, "sources.create", {
    type: "rss",
    name: `${name} lighthouse`,
    feeds: [{ externalKey: `${site.feedUrl}?${name}`, name: `${name} log` }],
  });
  const feedId = await onlyFeed(request, app.url, source.id);
  await mutate(request, app.url, "feeds.sync", { feedId, wait: 30 });
  return feedId;
}

test("an admin finds out why one of 300 feeds fails, and fixes it", async ({ page }) => {
  await seed(page, "Mouse");
  const feed = new FeedPage(page);

  await test.step("the overview says that something is wrong, and leads to it", async () => {
    await page.goto(`${app.url}/overview`);
    await expect(page.getByText("1 of 300 feeds needs attention; the others are in sync.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Enter new credentials…" })).toBeVisible();
  });

  await test.step("filter", async () => {
    await page.goto(`${app.url}/feeds`);
    await expect(page.getByRole("row")).toHaveCount(51);
    await page.getByLabel("Status").selectOption("Needs reconnect");
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(page).toHaveURL(/status=needs_reconnect/);
  });

  await test.step("feed", async () => {
    await page.getByRole("link", { name: "Mouse log" }).click();
    await expect(feed.heading("Mouse log")).toBeVisible();
    await expect(page.getByText(/answered 401/).first()).toBeVisible();
  });

  await test.step("run, request and cause", async () => {
    await page.getByRole("link", { name: "See its runs" }).click();
    await page.getByRole("row").nth(1).getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1, name: "Run of Mouse log" })).toBeVisible();
    await expect(page.getByText(/GET .*log\.xml/).first()).toBeVisible();
    await expect(page.getByText("Keepers only").first()).toBeHidden();
    await page.getByText("What it answered").first().click();
    await expect(page.getByText("Keepers only").first()).toBeVisible();
  });

  await test.step("fix", async () => {
    await page
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByRole("link", { name: "Mouse log" })
      .click();
    await page.getByRole("link", { name: "Enter credentials…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("User name").fill(site.keeper.username);
    await dialog.getByLabel("Password").fill(site.keeper.password);
    await dialog.getByRole("button", { name: "Save source" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("link", { name: "Mouse log" }).click();
    await expect(feed.heading("Mouse log")).toBeVisible();
    await feed.syncNow();
    await feed.expectStatus("Active");
    await expect(page.getByRole("link", { name: "Lamp lit" })).toBeVisible();
  });
});

test("the same by keyboard alone", async ({ page }) => {
  await seed(page, "Keyboard");
  await page.goto(`${app.url}/feeds`);
  await expect(page.getByRole("row")).toHaveCount(51);
  await tabTo(page, page.getByLabel("Status"));
  await page.keyboard.type("Needs");
  await expect(page).toHaveURL(/status=needs_reconnect/);
  const row = page.getByRole("row").getByRole("link", { name: "Keyboard log" });
  await expect(row).toBeVisible();
  await tabTo(page, row);
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("link", { name: "See its runs" }));
  const run = page.getByRole("row").nth(1).getByRole("link");
  await expect(run).toBeVisible();
  // Rows are walked with j and k from anywhere on the page.
  await page.keyboard.press("j");
  await expect(run).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Run of Keyboard log" })).toBeVisible();
  await expect(page.getByText(/answered 401/).first()).toBeVisible();
  await press(
    page,
    page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Keyboard log" }),
  );
  await press(page, page.getByRole("link", { name: "Enter credentials…" }));
  const dialog = page.getByRole("dialog");
  await tabTo(page, dialog.getByLabel("User name"));
  await page.keyboard.type(site.keeper.username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(site.keeper.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const feed = page.getByRole("row").getByRole("link", { name: "Keyboard log" });
  await expect(feed).toBeVisible();
  await page.keyboard.press("j");
  await expect(feed).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Keyboard log" })).toBeVisible();
  await press(page, page.getByRole("button", { name: "Sync now" }));
  await new FeedPage(page).expectStatus("Active");
  await expect(page.getByRole("link", { name: "Lamp lit" })).toBeVisible();
});

async function press(page: Page, target: Locator) {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Goes there as a keyboard does. More than this many stops no one would walk. */
async function tabTo(page: Page, target: Locator, limit = 60) {
  await expect(target.first()).toBeVisible();
  for (let stop = 0; stop < limit; stop += 1) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard did not reach ${target}`);
}
