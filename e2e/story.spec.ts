import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { AccessPages } from "./pages/access";
import { FeedPage } from "./pages/feed";
import { SourcesPage } from "./pages/sources";
import { OWNER, serveApp, WORKSPACE } from "./serve-app";
import { Upstream } from "./upstream";

const app = serveApp({ withOwner: false });
const upstream = new Upstream();
test.beforeAll(() => upstream.start());
test.afterAll(() => upstream.stop());

test("leads from the first visit to synced and pushed documents, through a failure and back", async ({
  page,
}) => {
  const sources = new SourcesPage(page);
  const feed = new FeedPage(page);
  upstream.items = [
    { id: "t-2", title: "Spring tide", html: "<p>High water 5.4 m</p>" },
    { id: "t-1", title: "Neap tide", html: "<p>High water 3.9 m</p>", date: "2026-06-13T09:00:00Z" },
  ];

  await test.step("the first visit makes the owner and the workspace", async () => {
    await new AccessPages(page, app.url).setUp(OWNER, WORKSPACE);
    await expect(page.getByText("Nothing is connected yet", { exact: true })).toBeVisible();
  });

  await test.step("a site's address is enough to find and connect its feed", async () => {
    await sources.openConnect();
    await sources.findFeeds(upstream.url);
    await expect(page.getByRole("checkbox", { name: /Tide tables/ })).toBeChecked();
    await page.getByRole("button", { name: "Connect 1 feed" }).click();
  });

  await test.step("the first sync brings its documents, live", async () => {
    await expect(page.getByText("The first sync is done: 2 documents.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Spring tide" })).toBeVisible();
    await page.getByRole("link", { name: "Open the feed" }).click();
    await expect(feed.heading("Tide tables")).toBeVisible();
    await expect(page.getByRole("link", { name: "Spring tide" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Neap tide" })).toBeVisible();
    await feed.expectStatus("Active");
    await expect(page.getByText("Everything up to 14 June 2026, 09:00 UTC")).toBeVisible();
  });

  await test.step("a change upstream is there after the next sync", async () => {
    upstream.items[0] = { id: "t-2", title: "Spring tide, corrected", html: "<p>High water 5.6 m</p>" };
    await feed.syncNow();
    await page.getByRole("link", { name: "Spring tide, corrected" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Spring tide, corrected" })).toBeVisible();
    await expect(page.getByText("High water 5.6 m")).toBeVisible();
    await page
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByRole("link", { name: "Tide tables" })
      .last()
      .click();
  });

  await test.step("a failing upstream is explained, with its raw answer behind a fold", async () => {
    upstream.failWith = { status: 403, body: "<h1>No robots at sea</h1>" };
    await feed.syncNow();
    await feed.expectStatus("Failing");
    await expect(page.getByText(/127\.0\.0\.1\S* answered 403/).first()).toBeVisible();
    await expect(page.getByText("No robots at sea")).toBeHidden();
    await page.getByText("What it answered").click();
    await expect(page.getByText("No robots at sea")).toBeVisible();
    await expect(page.getByRole("link", { name: "Spring tide, corrected" })).toBeVisible();
  });

  await test.step("it recovers with the next sync", async () => {
    upstream.failWith = null;
    await feed.syncNow();
    await feed.expectStatus("Active");
    await expect(page.getByText("answered 403")).toBeHidden();
  });

  await test.step("it can be paused", async () => {
    await page.getByRole("button", { name: "Pause" }).click();
    await feed.expectStatus("Paused");
    await expect(page.getByText("Not while paused")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sync now" })).toBeHidden();
  });

  await test.step("the audit trail tells it all, and its filters live in the URL", async () => {
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    const rows = page.getByRole("row").filter({ has: page.getByRole("link", { name: "Tide tables" }) });
    await expect(rows).toHaveCount(4);
    await page.getByLabel("Status").selectOption("Failed");
    await expect(page).toHaveURL(/[?&]status=failed/);
    await expect(rows).toHaveCount(1);
    await page.reload();
    await expect(rows).toHaveCount(1);
    await rows.getByRole("link", { name: "Tide tables" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Run of Tide tables" })).toBeVisible();
    await expect(page.getByText(/answered 403/).first()).toBeVisible();
    await expect(page.getByText(/GET .*feed\.xml/).first()).toBeVisible();
  });

  await test.step("a token's curl snippet works as it is printed", async () => {
    await page.getByRole("link", { name: "API", exact: true }).click();
    await page.getByLabel(/create an API source/).fill("Buoys");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await expect(page.getByLabel("To this feed")).toHaveValue(/^feed_/);
    await page.getByRole("button", { name: "Create token" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Buoy pusher");
    await dialog.getByRole("button", { name: "Create token" }).click();
    await expect(page.getByText("Token “Buoy pusher” created")).toBeVisible();
    await expect(page.getByText("Waiting for the first push to this feed.")).toBeVisible();

    const printed = await page.getByRole("region", { name: "curl" }).textContent();
    const { stdout } = await promisify(execFile)("sh", ["-c", printed ?? ""]);
    expect(JSON.parse(stdout)).toMatchObject({ documentsIndexed: 1, created: 1 });
  });

  await test.step("the pushed document shows up by itself", async () => {
    await expect(page.getByText("It arrived:")).toBeVisible();
    await page.getByRole("link", { name: "Hello, Tidemark" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Hello, Tidemark" })).toBeVisible();
    await expect(page.getByText("My first pushed document.")).toBeVisible();
  });
});
