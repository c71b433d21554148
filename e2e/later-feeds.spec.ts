import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { mutate } from "./api";
import { GrowingSite } from "./growing-site";
import { AccessPages } from "./pages/access";
import { SourcesPage } from "./pages/sources";
import { OWNER, serveApp } from "./serve-app";
import { watchPage } from "./watch-page";

const app = serveApp();
const site = new GrowingSite();
test.beforeAll(() => site.start());
test.afterAll(() => site.stop());

const feedRow = (page: Page, name: string) =>
  page.getByRole("table", { name: "Feeds" }).getByRole("row").filter({ hasText: name });

async function lookNow(page: Page) {
  await page.getByRole("button", { name: "Look now" }).click();
}

test("a person has later feeds added, leaves one out for good, and sees why a look failed", async ({
  page,
}) => {
  const watch = await watchPage(page);
  site.sections = ["Tides", "Fog"];
  await new AccessPages(page, app.url).signIn(OWNER);
  await page.goto(`${app.url}/sources/new`);
  await new SourcesPage(page).findFeeds(site.url);
  await expect(page.getByRole("heading", { name: "Found 2 feeds" })).toBeVisible();
  const later = page.getByLabel("Also add feeds that appear later");
  await expect(later).not.toBeChecked();
  await expect(page.getByText("What you leave out now is not added later.")).toBeVisible();
  await later.check();
  await expectAccessible(page, "the choice of feeds");
  await page.getByRole("button", { name: "Connect 1 feed" }).click();
  await page.getByRole("link", { name: "Open the feed" }).waitFor();

  const [source] = await app.sql<{ id: string }>("SELECT id FROM sources");
  const id = source?.id ?? "";
  await page.goto(`${app.url}/sources/${id}`);
  await expect(page.getByText("Feeds that appear later are added by themselves,")).toBeVisible();
  // The first look is the schedule's; from then on this story decides when one is.
  await app.cron("maintain");
  await expect(page.getByText(/Nothing new. 1 was here already; 1 was left out/)).toBeVisible();

  site.sections.push("Storms");
  await lookNow(page);
  await expect(page.getByText(/^Added 1 feed\. 1 was here already; 1 was left out/).first()).toBeVisible();
  await expect(feedRow(page, "Storms")).toBeVisible();
  await expect(feedRow(page, "Fog")).toHaveCount(0);
  await expectAccessible(page, "a source that grew");

  const [storms] = await app.sql<{ id: string }>("SELECT id FROM feeds WHERE external_key LIKE '%storms%'");
  await mutate(page.request, app.url, "feeds.delete", { feedId: storms?.id });
  await expect(feedRow(page, "Storms")).toHaveCount(0);
  await lookNow(page);
  await expect(
    page.getByText(/Nothing new. 1 was here already; 2 were left out or deleted before/).first(),
  ).toBeVisible();

  // By itself, when it is due; the open page shows it without being loaded again.
  site.sections.push("Surge");
  await app.sql("UPDATE sources SET next_look_at = now()");
  await app.cron("maintain");
  await expect(feedRow(page, "Surge")).toBeVisible();
  await page.goto(`${app.url}/overview`);
  await expect(page.getByText(/The schedule(r)? added the feed/).first()).toBeVisible();

  site.failWith = 503;
  await page.goto(`${app.url}/sources/${id}`);
  await lookNow(page);
  await expect(page.getByText(/^New feeds could not be looked for: /).last()).toBeVisible();
  await expect(page.getByText(/The feeds below are not affected/)).toBeVisible();
  await expect(feedRow(page, "Surge")).toBeVisible();
  await expectAccessible(page, "a look that failed");

  site.failWith = null;
  await page.goto(`${app.url}/sources/${id}?open=edit`);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Also add feeds that appear later")).toBeChecked();
  await expectAccessible(page, "the source's edit");
  await dialog.getByLabel("Also add feeds that appear later").uncheck();
  await dialog.getByRole("button", { name: "Save source" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Feeds that appear later are added by themselves,")).toHaveCount(0);
  // It can still be asked for once, from the menu.
  await page.getByRole("button", { name: "More acts on this source" }).click();
  await page.getByRole("menuitem", { name: "Look for new feeds now" }).click();
  await expect(page.getByText(/^Nothing new\./).first()).toBeVisible();
  // The look that failed is a call that failed; the browser says so in its console.
  expect((await watch.problems()).filter((problem) => !problem.includes("Failed to load resource"))).toEqual(
    [],
  );
});

test("the box stands only where more feeds can appear", async ({ page }) => {
  await app.signIn(page.context());
  await page.goto(`${app.url}/sources/new`);
  site.sections = ["Tides"];
  await new SourcesPage(page).findFeeds(site.feedUrl("Tides"));
  await expect(page.getByRole("button", { name: "Connect 1 feed" })).toBeVisible();
  await expect(page.getByLabel("Also add feeds that appear later")).toHaveCount(0);
});
