import { test } from "@playwright/test";
import { AccessPages } from "./pages/access";
import { fillWorkspace } from "./sample";
import { OWNER, serveApp } from "./serve-app";
import { Upstream } from "./upstream";

const app = serveApp();
const upstream = new Upstream();
test.beforeAll(() => upstream.start());
test.afterAll(() => upstream.stop());

test("photographs every page in both themes, wide and narrow", async ({ page }) => {
  test.setTimeout(300_000);
  const access = new AccessPages(page, app.url);
  await page.goto(`${app.url}/sign-in`);
  await shoot("sign-in");
  await access.signIn(OWNER);
  await shoot("sources-empty");
  await page.goto(`${app.url}/sources/new`);
  await shoot("connect");
  const sample = await fillWorkspace(page.request, app.url, upstream);
  const failing = await app.sql<{ id: string }>("SELECT id FROM feeds WHERE name = 'Notices to mariners'");
  const failedRun = await app.sql<{ id: string }>("SELECT id FROM sync_runs WHERE status = 'failed' LIMIT 1");
  const paths: Record<string, string> = {
    sources: "/sources",
    source: `/sources/${sample.sourceId}`,
    feed: `/feeds/${sample.feedId}`,
    "feed-runs": `/feeds/${sample.feedId}?tab=runs`,
    "feed-cursor": `/feeds/${sample.feedId}?tab=cursor`,
    "feed-rejected": `/feeds/${sample.apiFeedId}?tab=rejected`,
    "feed-failing": `/feeds/${failing[0]?.id}`,
    document: `/documents/${sample.documentId}`,
    runs: "/runs",
    run: `/runs/${sample.runId}`,
    "run-failed": `/runs/${failedRun[0]?.id}`,
    tokens: "/tokens",
    "not-found": "/sources/nothing",
  };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${app.url}${path}`);
    await shoot(name);
  }
  await page.goto(`${app.url}/feeds/${sample.feedId}`);
  await page.getByRole("button", { name: "More acts on this feed" }).click();
  await page.getByRole("menuitem", { name: "Reset cursor…" }).click();
  await page.getByText("What will happen").or(page.getByText("Afterwards")).first().waitFor();
  await shoot("reset");

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More acts on this feed" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await shoot("delete");
  await page.goto(`${app.url}/tokens?feed=${sample.apiFeedId}`);
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Buoy pusher");
  await shoot("token-dialog");
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  await page.getByText("Copy it now").waitFor();
  await shoot("token-created");
  await page.goto(`${app.url}/sources/new`);
  await page.getByLabel("Site or feed address").fill(upstream.url);
  await page.getByRole("button", { name: "Find feeds" }).click();
  await page.getByRole("button", { name: "Connect 1 feed" }).waitFor();
  await shoot("connect-found");
  await page.goto(`${app.url}/sources`);
  await page.getByLabel("Select all rows").check();
  await page.getByRole("button", { name: "Acts on Harbour office" }).click();
  await page.getByRole("menuitem", { name: "Sync now" }).click();
  await page.getByText("Sync started").waitFor();
  await shoot("sources-chosen");
  await page.getByRole("button", { name: /Account of/ }).click();
  await shoot("account");

  async function shoot(name: string) {
    await page.waitForLoadState("networkidle").catch(() => {});
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      for (const width of [1440, 375]) {
        await page.setViewportSize({ width, height: width === 375 ? 812 : 900 });
        await page.screenshot({
          path: `screenshots-out/${name}-${theme}-${width}.png`,
          fullPage: width === 375,
        });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});
