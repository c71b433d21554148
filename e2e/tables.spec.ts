import { expect, test } from "@playwright/test";
import { mutate, query } from "./api";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";

const app = serveApp();
const FEEDS = 120;
let sourceId: string;

test.beforeAll(async () => {
  const source = await mutate<{ id: string }>(app.asOwner, app.url, "sources.create", {
    type: "api",
    name: "Fleet",
    feeds: Array.from({ length: FEEDS }, (_, index) => ({
      externalKey: `buoy-${index}`,
      name: `Buoy ${String(index + 1).padStart(3, "0")}`,
    })),
  });
  sourceId = source.id;
});
test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
});

test("sorts on the server and pages both ways, all of it in the URL", async ({ page }) => {
  await page.goto(`${app.url}/feeds?sort=name&desc=true`);
  const first = page.getByRole("row").nth(1);
  await expect(first).toContainText("Buoy 120");
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(first).toContainText("Buoy 070");
  const second = page.url();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(first).toContainText("Buoy 020");
  await expect(page.getByRole("button", { name: "Next", exact: true })).toBeDisabled();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(first).toContainText("Buoy 070");
  await page.goto(second);
  await expect(first).toContainText("Buoy 070");
  await page.goBack();
  await page.getByLabel("Filter by name or address").fill("buoy 01");
  await expect(page.getByRole("row")).toHaveCount(11);
  await expect(page).toHaveURL(/q=buoy/);
  expect(page.url()).not.toContain("after=");
});

test("pauses all that match in the background, and undoes it", async ({ page }) => {
  await page.goto(`${app.url}/sources/${sourceId}?q=buoy`);
  await page.getByLabel("Select all rows").check();
  await expect(page.getByText("50 feeds chosen")).toBeVisible();
  await page.getByRole("button", { name: "Choose all that match" }).click();
  await page.getByRole("button", { name: `Pause ${FEEDS} feeds` }).click();
  const acts = page.getByRole("region", { name: "Acts in the background" });
  await expect(acts.getByRole("progressbar")).toBeVisible();
  // People walk on meanwhile.
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(acts.getByText(`Paused ${FEEDS} feeds`)).toBeVisible();
  const paused = () =>
    query<{ feeds: unknown[] }>(page.request, app.url, "feeds.matching", { sourceId, status: "paused" });
  expect((await paused()).feeds).toHaveLength(FEEDS);
  await acts.getByRole("button", { name: "Undo" }).click();
  await expect(acts.getByText(`Resumed ${FEEDS} feeds`)).toBeVisible();
  expect((await paused()).feeds).toHaveLength(0);
});

test("remembers which columns to show", async ({ page }) => {
  await page.goto(`${app.url}/feeds`);
  await expect(page.getByRole("columnheader", { name: "Cursor" })).toHaveCount(0);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Cursor" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Documents" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Cursor" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Cursor" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Documents" })).toHaveCount(0);
});

test("exports what the filters show as CSV", async ({ page }) => {
  await page.goto(`${app.url}/feeds?q=buoy+01&sort=name`);
  await expect(page.getByRole("row")).toHaveCount(11);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const stream = await (await download).createReadStream();
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  expect(text.trim().split("\r\n")).toHaveLength(11);
  expect(text).toContain("Buoy 010");
});

test("mends a rejected document and stores it; tries and discards several at once", async ({ page }) => {
  const source = await mutate<{ id: string }>(page.request, app.url, "sources.create", {
    type: "api",
    name: "Picky",
    feeds: [{ externalKey: "default", name: "Picky feed" }],
  });
  const feedId = await onlyFeed(page.request, app.url, source.id);
  await mutate(page.request, app.url, "ingest.documents", {
    feedId,
    documents: ["x", "y", "z"].map((id) => ({ id, title: id, date: "not a date" })),
  });
  await page.goto(`${app.url}/documents?view=rejected`);
  await page.getByRole("button", { name: "x", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByText(/Still refused/)).toBeVisible();
  await dialog.getByLabel("What was sent").fill('{"id": "x", "title": ');
  await expect(dialog.getByText(/This is not JSON/)).toBeVisible();
  await dialog
    .getByLabel("What was sent")
    .fill('{"id": "x", "title": "Mended", "date": "2026-06-14T09:00:00Z"}');
  await dialog.getByRole("button", { name: "Store as edited" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Select all rows").check();
  await page.getByRole("button", { name: "Try 2 rejected documents again" }).click();
  const acts = page.getByRole("region", { name: "Acts in the background" });
  await expect(acts.getByText("2 failures")).toBeVisible();
  await page.getByLabel("Select all rows").check();
  await page.getByRole("button", { name: "Discard 2 rejected documents…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard 2 rejected documents" }).click();
  await expect(page.getByText("Nothing was rejected")).toBeVisible();
  await page.goto(`${app.url}/documents`);
  await expect(page.getByRole("link", { name: "Mended" })).toBeVisible();
});
