import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { mutate } from "./api";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";

const app = serveApp();
let feedId: string;

test.beforeAll(async () => {
  const source = await mutate<{ id: string }>(app.asOwner, app.url, "sources.create", {
    type: "api",
    name: "Sensors",
    feeds: ["Buoy 1", "Buoy 2", "Buoy 3"].map((name) => ({ externalKey: name, name })),
  });
  const feed = await mutate<{ id: string }>(app.asOwner, app.url, "sources.create", {
    type: "api",
    name: "Logbook",
    feeds: [{ externalKey: "log", name: "Log" }],
  });
  expect(source.id).toMatch(/^src_/);
  feedId = await onlyFeed(app.asOwner, app.url, feed.id);
  for (let call = 0; call < 2; call += 1) {
    const numbers = Array.from({ length: 45 }, (_, i) => call * 45 + i);
    await mutate(app.asOwner, app.url, "ingest.documents", {
      feedId,
      documents: numbers.slice(0, 15).map((n) => ({ id: `page-${n}`, title: `Page ${n} of the log` })),
    });
    await mutate(app.asOwner, app.url, "ingest.documents", {
      feedId,
      documents: numbers.map((n) => ({ id: `bad-${n}`, date: "yesterday" })),
    });
  }
});
test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
});

test("rows are chosen on a phone, and acted on together", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(`${app.url}/feeds`);
  await page.getByLabel("Select Buoy 1").click();
  await page.getByLabel("Select Buoy 3").click();
  const bar = page.getByRole("region", { name: "Acts on the chosen feeds" });
  await expect(bar.getByText("2 feeds chosen")).toBeVisible();
  // A tap beside the box, within a finger's breadth, is a tap on it and opens nothing.
  const box = await page.getByLabel("Select Buoy 2").boundingBox();
  await page.mouse.click((box?.x ?? 0) - 6, (box?.y ?? 0) + 10);
  await expect(bar.getByText("3 feeds chosen")).toBeVisible();
  await expect(page).toHaveURL(/\/feeds$/);
  await expectAccessible(page, "cards that are chosen");
  await bar.getByRole("button", { name: "Pause 3 feeds" }).click();
  await expect(page.getByText("Paused 3 feeds")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Resumed 3 feeds")).toBeVisible();
  await page.getByLabel("Choose all shown here").check();
  await expect(bar.getByText("4 feeds chosen")).toBeVisible();
});

test("all rejected documents that match are discarded at once, over all pages", async ({ page }) => {
  await page.goto(`${app.url}/documents?view=rejected&q=bad-1`);
  await expect(page.getByRole("row")).toHaveCount(12); // bad-1, bad-10 to bad-19, and the header
  await page.goto(`${app.url}/documents?view=rejected&code=date_invalid`);
  await page.getByLabel("Select all rows").check();
  const bar = page.getByRole("region", { name: "Acts on the chosen rejected documents" });
  await expect(bar.getByText("50 rejected documents chosen")).toBeVisible();
  await bar.getByRole("button", { name: "Choose all that match" }).click();
  await expect(bar.getByText("90 rejected documents chosen")).toBeVisible();
  await bar.getByRole("button", { name: "Discard 90 rejected documents…" }).click();
  await page.getByRole("button", { name: "Discard 90 rejected documents", exact: true }).click();
  await expect(page.getByText("Discarded 90 rejected documents")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Nothing was rejected").or(page.getByText("Nothing matches"))).toBeVisible();
});

test("held deletes are seen whole, searched and paged through", async ({ page }) => {
  const { token } = await mutate<{ token: string }>(page.request, app.url, "tokens.create", {
    name: "Lister",
    scopes: ["runs:write"],
  });
  const headers = { authorization: `Bearer ${token}` };
  const started = await page.request.post(`${app.url}/api/v1/feeds/${feedId}/runs`, {
    headers,
    data: { listing: true },
  });
  const { runId } = (await started.json()) as { runId: string };
  // A listing that brought nothing: everything would go, so it waits for a person.
  const finished = await page.request.post(`${app.url}/api/v1/runs/${runId}/finish`, {
    headers,
    data: { status: "succeeded", complete: true },
  });
  expect(finished.status()).toBe(200);
  await page.goto(`${app.url}/feeds/${feedId}`);
  await page.getByRole("button", { name: "See 30 documents" }).click();
  const dialog = page.getByRole("dialog");
  const items = dialog.getByRole("list", { name: "Documents that would go" }).getByRole("listitem");
  await expect(items).toHaveCount(25);
  await dialog.getByRole("button", { name: "Next" }).click();
  await expect(items).toHaveCount(5);
  await dialog.getByRole("button", { name: "Previous" }).click();
  await expect(items).toHaveCount(25);
  await dialog.getByLabel("Search by title or id").fill("page 48");
  await expect(items).toHaveCount(1);
  await expect(items.getByText("Page 48 of the log")).toBeVisible();
  await expectAccessible(page, "the list of held deletes");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("many tokens are revoked at once, and listed as a file", async ({ page }) => {
  for (const name of ["Importer", "Reader", "Watcher"]) {
    await mutate(page.request, app.url, "tokens.create", { name, scopes: ["changes:read"] });
  }
  await page.goto(`${app.url}/tokens`);
  await page.getByLabel("Select Importer").check();
  await page.getByLabel("Select Reader").check();
  await page.getByRole("button", { name: "Revoke 2 tokens…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/Importer|Reader/).first()).toBeVisible();
  await expectAccessible(page, "the question before many tokens go");
  await dialog.getByRole("button", { name: "Revoke 2 tokens" }).click();
  await expect(page.getByText("Revoked 2 tokens")).toBeVisible();
  const revoked = await app.sql<{ name: string }>(
    "SELECT name FROM api_tokens WHERE revoked_at IS NOT NULL ORDER BY name",
  );
  expect(revoked.map(({ name }) => name)).toEqual(["Importer", "Reader"]);
  await page.getByLabel("Which tokens").selectOption("usable");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const file = await (await download).path();
  const lines = (await readFile(file, "utf8")).trimEnd().split("\r\n");
  expect(lines.join()).toContain("Watcher");
  expect(lines.join()).not.toMatch(/Importer|Reader/);
});
