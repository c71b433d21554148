import { expect, test } from "@playwright/test";
import { mutate } from "./api";
import { FeedPage } from "./pages/feed";
import { SourcesPage } from "./pages/sources";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";

const app = serveApp();

test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
});

/** An `api` source with `count` pushed documents and a date cursor. */
async function pushedFeed(page: import("@playwright/test").Page, name: string, count: number) {
  const source = await mutate<{ id: string }>(page.request, app.url, "sources.create", {
    type: "api",
    name,
    feeds: [{ externalKey: "default", name: `${name} feed` }],
  });
  const feedId = await onlyFeed(page.request, app.url, source.id);
  const documents = Array.from({ length: count }, (_, index) => ({
    id: `d-${index + 1}`,
    title: `Document ${index + 1}`,
  }));
  for (const cursor of ["2026-06-13T09:00:00Z", "2026-06-14T09:00:00Z"]) {
    await mutate(page.request, app.url, "ingest.documents", { feedId, documents, cursor });
  }
  return { sourceId: source.id, feedId };
}

test("resets a cursor after showing what that will do, and keeps the reason", async ({ page }) => {
  const { feedId } = await pushedFeed(page, "Resettable", 2);
  const feed = new FeedPage(page);
  await page.goto(`${app.url}/feeds/${feedId}`);
  await expect(page.getByText("Everything up to 14 June 2026, 09:00 UTC")).toBeVisible();
  await feed.openMenu("Reset cursor…");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("No position yet")).toBeVisible();
  await dialog.getByLabel("Back to").selectOption({ index: 1 });
  await expect(dialog.getByText("Everything up to 13 June 2026, 09:00 UTC")).toBeVisible();
  await expect(dialog.getByText(/2 documents: a reset deletes nothing/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Reset cursor" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("The 14th was sent twice");
  await dialog.getByRole("button", { name: "Reset cursor" }).click();
  await expect(page.getByText("Everything up to 13 June 2026, 09:00 UTC")).toBeVisible();
  await feed.openTab("Cursor history");
  await expect(page.getByText("Reset by a person")).toBeVisible();
  await expect(page.getByText("“The 14th was sent twice”")).toBeVisible();
});

test("asks a person before a listing that lost most documents deletes them", async ({ page }) => {
  const { feedId } = await pushedFeed(page, "Shrinking", 15);
  const run = await mutate<{ runId: string }>(page.request, app.url, "runs.start", { feedId, listing: true });
  await mutate(page.request, app.url, "ingest.documents", {
    feedId,
    runId: run.runId,
    documents: [{ id: "d-1", title: "Document 1" }],
  });
  await mutate(page.request, app.url, "runs.finish", {
    runId: run.runId,
    status: "succeeded",
    complete: true,
  });

  await page.goto(`${app.url}/feeds/${feedId}`);
  await expect(page.getByText(/14 deletes held for your decision/)).toBeVisible();
  await page.getByRole("button", { name: "Delete 14 documents…" }).click();
  await expect(page.getByRole("dialog")).toContainText("Deletes 14 documents here and in every client");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 14 documents" }).click();
  await expect(page.getByText(/held for your decision/)).toBeHidden();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByLabel("Which documents").selectOption("Deleted upstream");
  await expect(page.getByText("Deleted upstream").nth(1)).toBeVisible();
  await page.getByRole("link", { name: "d-7" }).click();
  await expect(page.getByText("This is a tombstone")).toBeVisible();
});

test("shows what was refused and tries it again", async ({ page }) => {
  const { feedId } = await pushedFeed(page, "Picky", 1);
  await mutate(page.request, app.url, "ingest.documents", {
    feedId,
    documents: [{ id: "x", title: "X", date: "not a date" }],
  });
  await page.goto(`${app.url}/feeds/${feedId}`);
  await page.getByRole("tab", { name: /Rejected/ }).click();
  await expect(page.getByText("date_invalid")).toBeVisible();
  await page.getByRole("button", { name: "x", exact: true }).click();
  await expect(page.getByLabel("What was sent")).toHaveValue(/"not a date"/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(/Still refused/)).toBeVisible();
});

test("edits a feed's name, and deletes it only once its name was typed", async ({ page }) => {
  const { feedId, sourceId } = await pushedFeed(page, "Short-lived", 3);
  const feed = new FeedPage(page);
  await page.goto(`${app.url}/feeds/${feedId}`);
  await feed.openMenu("Edit…");
  await page.getByRole("dialog").getByLabel("Name").fill("Mayfly");
  await page.getByRole("dialog").getByRole("button", { name: "Save feed" }).click();
  await expect(feed.heading("Mayfly")).toBeVisible();
  await feed.openMenu("Delete…");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(
    "Deletes 3 documents here and in every client that follows the change feed",
  );
  const button = dialog.getByRole("button", { name: "Delete 3 documents" });
  await expect(button).toBeDisabled();
  await dialog.getByLabel("Type “Mayfly” to go on").fill("Mayfly");
  await button.click();
  await expect(page).toHaveURL(`${app.url}/sources/${sourceId}`);
  await expect(page.getByText("No feed yet")).toBeVisible();
});

test("acts on several sources at once and deletes one with its name typed", async ({ page }) => {
  await pushedFeed(page, "Bulk one", 1);
  await pushedFeed(page, "Bulk two", 1);
  const sources = new SourcesPage(page);
  await page.goto(`${app.url}/sources?q=bulk&sort=name&desc=true`);
  await expect(page.getByRole("row").nth(1)).toContainText("Bulk two");
  await page.getByLabel("Select Bulk one").check();
  await page.getByLabel("Select Bulk two").check();
  await page.getByRole("button", { name: "Pause 2 sources" }).click();
  await expect(sources.row("Bulk one")).toContainText("Paused");
  await expect(sources.row("Bulk two")).toContainText("Paused");
  await sources.act("Bulk one", "Resume");
  await expect(sources.row("Bulk one")).toContainText("Active");
  await sources.act("Bulk two", "Delete…");
  await page.getByLabel("Type “Bulk two” to go on").fill("Bulk two");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 document" }).click();
  await expect(sources.row("Bulk two")).toHaveCount(0);
});
