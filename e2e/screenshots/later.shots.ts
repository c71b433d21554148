import { test } from "@playwright/test";
import { mutate } from "../api";
import { GrowingSite } from "../growing-site";
import { addHistory } from "../history";
import { AccessPages } from "../pages/access";
import { SourcesPage } from "../pages/sources";
import { fillWorkspace } from "../sample";
import { OWNER, serveApp } from "../serve-app";
import { Upstream } from "../upstream";
import { photograph } from "./photograph";

const app = serveApp();
const site = new GrowingSite();
const upstream = new Upstream();
test.beforeAll(async () => {
  await site.start();
  await upstream.start();
});
test.afterAll(async () => {
  await site.stop();
  await upstream.stop();
});
test.beforeEach(async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
});

test("feeds that appear later", async ({ page }) => {
  site.sections = ["Tides", "Fog"];
  await page.goto(`${app.url}/sources/new`);
  await new SourcesPage(page).findFeeds(site.url);
  await page.getByLabel("Also add feeds that appear later").check();
  await photograph(page, "connect-later-feeds");
  await page.getByRole("button", { name: "Connect 1 feed" }).click();
  await page.getByRole("link", { name: "Open the feed" }).waitFor();
  const [source] = await app.sql<{ id: string }>("SELECT id FROM sources");
  await page.goto(`${app.url}/sources/${source?.id}`);
  await page.getByText(/Nothing new\./).waitFor({ timeout: 60_000 });
  site.sections.push("Storms", "Surge");
  await page.getByRole("button", { name: "Look now" }).click();
  await page
    .getByText(/^Added 2 feeds/)
    .first()
    .waitFor();
  await photograph(page, "source-grew");
  await page.goto(`${app.url}/sources/${source?.id}?open=edit`);
  await photograph(page, "source-edit-later-feeds");
  site.failWith = 503;
  await page.goto(`${app.url}/sources/${source?.id}`);
  await page.getByRole("button", { name: "Look now" }).click();
  await page.getByText(/The feeds below are not affected/).waitFor();
  await photograph(page, "source-look-failed");

  const [feed] = await app.sql<{ id: string }>("SELECT id FROM feeds WHERE external_key LIKE '%tides%'");
  await app.sql(`UPDATE feeds SET cursor = '2026-06-14T09:00:00Z' WHERE id = '${feed?.id}'`);
  await page.goto(`${app.url}/feeds/${feed?.id}?open=move`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New address").fill(`${site.url}/nothing.xml`);
  await dialog.getByRole("button", { name: "Check address" }).click();
  await dialog.getByText(/Nothing can be read there/).waitFor();
  await photograph(page, "feed-move-refused");
  await dialog.getByLabel("New address").fill(`${upstream.url}/feed.xml`);
  await dialog.getByRole("button", { name: "Check address" }).click();
  await dialog.getByRole("button", { name: "Change address" }).waitFor();
  await photograph(page, "feed-move");
});

test("acts on many", async ({ page }) => {
  const sample = await fillWorkspace(page.request, app.url, upstream);
  await addHistory(app, sample.apiFeedId);
  await page.goto(`${app.url}/feeds`);
  await page
    .getByLabel(/^Select /)
    .nth(1)
    .check();
  await page
    .getByLabel(/^Select /)
    .nth(2)
    .check();
  await photograph(page, "feeds-some-chosen");
  for (const name of ["Importer", "Reader"]) {
    await mutate(page.request, app.url, "tokens.create", { name, scopes: ["changes:read"] });
  }
  await page.goto(`${app.url}/tokens`);
  await page.getByLabel("Select Importer").check();
  await page.getByLabel("Select Reader").check();
  await photograph(page, "tokens-chosen");
  await page.getByRole("button", { name: "Revoke 2 tokens…" }).click();
  await photograph(page, "tokens-revoke-many");
  await app.sql(`INSERT INTO held_delete_items (workspace_id, hold_id, document_id, seq)
    SELECT d.workspace_id, h.id, d.id, d.seq FROM held_deletes h, documents d WHERE d.state = 'live'`);
  await page.goto(`${app.url}/feeds/${sample.apiFeedId}`);
  await page
    .getByRole("button", { name: /^See [\d,]+ documents?$/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await photograph(page, "held-documents");
});
