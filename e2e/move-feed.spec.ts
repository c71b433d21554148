import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { mutate } from "./api";
import { GrowingSite } from "./growing-site";
import { FeedPage } from "./pages/feed";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";

const app = serveApp();
const site = new GrowingSite();
test.beforeAll(() => site.start());
test.afterAll(() => site.stop());

test("an admin gives a feed that is gone its new address; it stays the same feed", async ({ page }) => {
  await app.signIn(page.context());
  site.sections = ["Tides"];
  const source = await mutate<{ id: string }>(page.request, app.url, "sources.create", {
    type: "rss",
    name: "Harbour",
    feeds: [{ externalKey: site.feedUrl("Tides") }],
  });
  const feedId = await onlyFeed(page.request, app.url, source.id);
  await mutate(page.request, app.url, "feeds.sync", { feedId, wait: 30 });
  await mutate(page.request, app.url, "feeds.add", {
    sourceId: source.id,
    externalKey: `${site.url}/other.xml`,
  });
  await app.sql(`UPDATE feeds SET cursor = '2026-06-14T09:00:00Z' WHERE id = '${feedId}'`);
  site.sections = ["Storms"];
  await mutate(page.request, app.url, "feeds.sync", { feedId, wait: 30 });

  await page.goto(`${app.url}/feeds/${feedId}`);
  await page.getByRole("link", { name: "Change address…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(site.feedUrl("Tides"))).toBeVisible();

  const address = dialog.getByLabel("New address");
  await address.fill(`${site.url}/nothing.xml`);
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(/Nothing can be read there/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Change address all the same" })).toBeVisible();
  await expectAccessible(page, "an address where nothing is");

  await address.fill(`${site.url}/other.xml`);
  await dialog.getByRole("button", { name: "Check address" }).click();
  await expect(dialog.getByText("This address is another feed of the same source")).toBeVisible();

  await address.fill(site.feedUrl("Storms"));
  await dialog.getByRole("button", { name: "Check address" }).click();
  await expect(dialog.getByText("“Storms” can be read: 1 entry at the moment.")).toBeVisible();
  await expect(
    dialog.getByText("All 1 document stay.").or(dialog.getByText(/stays?\. What the new/)),
  ).toBeVisible();
  await expect(dialog.getByLabel("Start from the beginning there")).not.toBeChecked();
  await expectAccessible(page, "an address that can be read");
  await dialog.getByRole("button", { name: "Change address" }).click();
  await expect(dialog).toHaveCount(0);
  const feed = new FeedPage(page);
  await feed.expectStatus("Active");
  await expect(page.getByText(site.feedUrl("Storms")).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Tides, first notice" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Storms, first notice" })).toBeVisible({ timeout: 30_000 });
});
