import { type Page, test } from "@playwright/test";
import { addHistory } from "../history";
import { AccessPages } from "../pages/access";
import { SourcesPage } from "../pages/sources";
import { fillWorkspace, type Sample } from "../sample";
import { OWNER, serveApp } from "../serve-app";
import { Upstream } from "../upstream";
import { photograph, photographEach } from "./photograph";

const app = serveApp();
const upstream = new Upstream();
let sample: Sample;

test.beforeAll(async ({ browser }) => {
  await upstream.start();
  const page = await browser.newPage();
  await new AccessPages(page, app.url).signIn(OWNER);
  sample = await fillWorkspace(page.request, app.url, upstream);
  await addHistory(app, sample.apiFeedId);
  await page.close();
});
test.afterAll(() => upstream.stop());
test.beforeEach(async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
});

const shoot = (page: Page, name: string) => photograph(page, name, { inFront: true });

test("palette and help", async ({ page }) => {
  await page.goto(`${app.url}/sources`);
  await page.getByRole("button", { name: "Acts on Harbour office" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("option").first().waitFor();
  await shoot(page, "palette");
  const box = page.getByRole("dialog").getByRole("combobox");
  await box.fill("buoy");
  await page.getByRole("option", { name: /Buoy 7/ }).waitFor();
  await shoot(page, "palette-found");
  await box.fill(sample.runId);
  await page.getByRole("option", { name: /Open run/ }).waitFor();
  await shoot(page, "palette-id");
  await box.fill("no such thing");
  await page.getByText("Nothing is called").waitFor();
  await shoot(page, "palette-no-match");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await shoot(page, "help-sheet");
});

test("menus and explanations", async ({ page }) => {
  for (const [name, path, button] of [
    ["menu-theme", "/overview", /^Theme/],
    ["menu-account", "/overview", /^Account of/],
    ["menu-transfer", "/sources", "Import and export"],
    ["menu-source-row", "/sources", "Acts on Harbour office"],
    ["menu-source", `/sources/${sample.sourceId}`, "More acts on this source"],
    ["menu-feed", `/feeds/${sample.feedId}`, "More acts on this feed"],
  ] as const) {
    await page.goto(`${app.url}${path}`);
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("menu").waitFor();
    await shoot(page, name);
  }
  await page.goto(`${app.url}/runs`);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menu").waitFor();
  await shoot(page, "menu-columns");
  await page.goto(`${app.url}/feeds/${sample.feedId}`);
  await page.locator(".term").first().click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "explanation");
});

test("questions", async ({ page }) => {
  const feed = `/feeds/${sample.feedId}`;
  const source = `/sources/${sample.sourceId}`;
  await photographEach(
    page,
    app.url,
    {
      "source-add-feed": `${source}?open=add`,
      "source-edit": `${source}?open=edit`,
      "source-delete": `${source}?open=delete`,
      "feed-edit": `${feed}?open=edit`,
      "feed-delete": `${feed}?open=delete`,
      "feed-reset": `${feed}?tab=cursor&open=reset`,
      "feed-rewind": `${feed}?tab=cursor&open=reset&to=run:${sample.runId}`,
    },
    { inFront: true },
  );
  await page.goto(`${app.url}/feeds/${sample.apiFeedId}`);
  await page.getByRole("button", { name: "Delete 1,204 documents…" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "held-delete-question");
  await page.goto(`${app.url}/overview`);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out everywhere…" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "sign-out-everywhere");
});

test("rejected documents", async ({ page }) => {
  await page.goto(`${app.url}/documents?view=rejected`);
  await page.getByLabel("Select all rows").check();
  await shoot(page, "rejected-chosen");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await page.getByLabel("What was sent").waitFor();
  await shoot(page, "rejected-document");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Try again|Store|Retry/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("alert").filter({ hasText: /\S/ }).first().waitFor();
  await shoot(page, "rejected-again");
});

test("acts on many", async ({ page }) => {
  await page.goto(`${app.url}/sources`);
  await page.getByLabel("Select all rows").check();
  await shoot(page, "sources-chosen");
  await page.getByRole("button", { name: /^Delete \d+ sources…$/ }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "sources-delete-many");

  await page.goto(`${app.url}/feeds`);
  await page.getByLabel("Select all rows").check();
  await shoot(page, "feeds-chosen");
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/api/trpc/feeds.bulk**", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: /^Pause \d+ feeds$/ }).click();
  await page.getByRole("progressbar").waitFor();
  await shoot(page, "bulk-running");
  letGo();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await shoot(page, "bulk-done-undo");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(/^Resumed/).waitFor();
});

test("words in passing", async ({ page }) => {
  await page.goto(`${app.url}/sources`);
  const sources = new SourcesPage(page);
  await sources.act("Harbour office", "Pause");
  await page.getByText("Paused: Harbour office").waitFor();
  await shoot(page, "toast-undo");
  await page.route("**/api/trpc/sources.resume**", (route) => route.abort());
  await sources.act("Harbour office", "Resume");
  await page.locator("[data-sonner-toast][data-type=error]").waitFor();
  await shoot(page, "toast-error");
});
