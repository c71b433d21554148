import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { mutate, query } from "./api";
import { AccessPages } from "./pages/access";
import { fillWorkspace, onlyFeed, type Sample } from "./sample";
import { OWNER, serveApp } from "./serve-app";
import { Upstream } from "./upstream";

const app = serveApp();
const upstream = new Upstream();
let sample: Sample;

test.beforeAll(async ({ browser }) => {
  await upstream.start();
  const page = await browser.newPage();
  await new AccessPages(page, app.url).signIn(OWNER);
  sample = await fillWorkspace(page.request, app.url, upstream);
  await page.close();
});
test.afterAll(() => upstream.stop());
test.beforeEach(async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
});

function paths(): string[] {
  return [
    "/overview",
    "/sources",
    "/sources?status=deleting",
    "/feeds",
    "/feeds?cause=disabled",
    "/documents",
    "/documents?state=deleted",
    "/documents?view=rejected",
    "/sources/new",
    "/sources/new?type=rss",
    "/sources/new?type=api",
    "/sources/import",
    `/sources/${sample.sourceId}`,
    `/feeds/${sample.feedId}`,
    `/feeds/${sample.feedId}?tab=runs`,
    `/feeds/${sample.feedId}?tab=cursor`,
    `/feeds/${sample.apiFeedId}?tab=rejected`,
    `/documents/${sample.documentId}`,
    "/runs",
    `/runs/${sample.runId}`,
    "/tokens",
    "/tokens?language=python",
    "/changes",
    "/changes?language=javascript",
    "/feeds/nothing",
  ];
}

/** Questions in front of pages, each with an address of its own. */
function dialogs(): string[] {
  return [
    `/sources/${sample.sourceId}?open=add`,
    `/sources/${sample.sourceId}?open=edit`,
    `/sources/${sample.sourceId}?open=delete`,
    `/feeds/${sample.feedId}?open=edit`,
    `/feeds/${sample.feedId}?open=delete`,
    `/feeds/${sample.feedId}?tab=cursor&open=reset&to=run:${sample.runId}`,
  ];
}

async function expectAccessible(page: Page, what: string) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
  expect(told, what).toEqual([]);
}

for (const theme of ["light", "dark"] as const) {
  test(`has no serious accessibility fault on any page, ${theme}`, async ({ page }) => {
    test.setTimeout(300_000); // some forty pages, each read by axe
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const path of paths()) {
      await page.goto(`${app.url}${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      await expectAccessible(page, path);
    }
    for (const path of dialogs()) {
      await page.goto(`${app.url}${path}`);
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page, path);
    }
    // What lies in front of pages: menus, the bar of acts, a rejected document, a list that failed.
    await page.goto(`${app.url}/feeds`);
    await page.getByLabel("Select all rows").check();
    await page.getByRole("button", { name: "Columns" }).click();
    await expectAccessible(page, "columns and bulk bar");
    await page.goto(`${app.url}/documents?view=rejected`);
    await page.getByRole("row").nth(1).getByRole("button").first().click();
    await expect(page.getByLabel("What was sent")).toBeVisible();
    await expectAccessible(page, "rejected document");
    await page.goto(`${app.url}/runs?after=nonsense`);
    await expect(page.getByText(/could not be read/)).toBeVisible();
    await expectAccessible(page, "error");
    await page.goto(`${app.url}/feeds/${sample.feedId}`);
    await page.getByRole("button", { name: "More acts on this feed" }).click();
    await expectAccessible(page, "menu");
    await page.getByRole("menuitem", { name: "Reset cursor…" }).click();
    await expect(page.getByText("Afterwards")).toBeVisible();
    await expectAccessible(page, "reset dialog");
    await page.context().clearCookies();
    await page.goto(`${app.url}/sign-in`);
    await expectAccessible(page, "sign-in");
  });
}

test("fits a phone: nothing scrolls sideways, the navigation is at the bottom, rows are cards", async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  for (const path of paths()) {
    await page.goto(`${app.url}${path}`);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await page.goto(`${app.url}/sources`);
  const bar = page.getByRole("navigation", { name: "Main" });
  await expect(bar.getByRole("link", { name: "Runs" })).toBeInViewport();
});

test("draws every page without an error in the browser, the server's markup taken over as it is", async ({
  page,
}) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${page.url()}: ${message.text()}`);
  });
  for (const path of paths().slice(0, -1)) {
    await page.goto(`${app.url}${path}`);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  }
  expect(errors).toEqual([]);
});

test("has a title of its own on every page", async ({ page }) => {
  const titles = new Map<string, string>();
  for (const path of [
    "/sources",
    "/sources/new",
    `/sources/${sample.sourceId}`,
    `/feeds/${sample.feedId}`,
    "/runs",
    "/tokens",
  ]) {
    await page.goto(`${app.url}${path}`);
    titles.set(path, await page.title());
  }
  expect(new Set(titles.values()).size).toBe(titles.size);
  expect(titles.get(`/feeds/${sample.feedId}`)).toBe("Tide tables · Tidemark");
});

test("has no link that leads nowhere", async ({ page }) => {
  const seen = new Set<string>();
  for (const path of paths().slice(0, -1)) {
    await page.goto(`${app.url}${path}`);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    const hrefs = await page
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) if (href.startsWith(app.url) && !href.includes("#")) seen.add(href);
  }
  expect(seen.size).toBeGreaterThan(10);
  for (const href of seen) expect((await page.request.get(href)).status(), href).toBe(200);
});

test("can be walked by keyboard: j and k between rows, Enter opens", async ({ page }) => {
  await page.goto(`${app.url}/feeds/${sample.feedId}`);
  const rows = page.getByRole("row").getByRole("link");
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(rows.nth(1)).toBeFocused();
  const title = await rows.nth(1).textContent();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: title ?? "" })).toBeVisible();
});

test("keeps the chosen theme and paints it first", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${app.url}/sources`);
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const html = await (await page.request.get(`${app.url}/sources`)).text();
  expect(html).toMatch(/<html[^>]*data-theme="dark"/);
});

test("shows a document's markup and runs none of it", async ({ page }) => {
  const hostile = `<p>Before</p><script>window.hacked = 1</script><img src="x" onerror="window.hacked = 2">
    <a href="javascript:window.hacked=3">press</a><svg onload="window.hacked=4"></svg>
    <iframe srcdoc="<script>parent.hacked=5</script>"></iframe><style>body{display:none}</style><p>After</p>`;
  const source = await mutate<{ id: string }>(page.request, app.url, "sources.create", {
    type: "api",
    name: "Hostile",
    feeds: [{ externalKey: "default" }],
  });
  const feedId = await onlyFeed(page.request, app.url, source.id);
  await mutate(page.request, app.url, "ingest.documents", {
    feedId,
    documents: [
      {
        id: "html",
        title: "<img src=x onerror='window.hacked=6'>",
        text: hostile,
        format: "html",
        url: "javascript:window.hacked=7",
      },
      {
        id: "text",
        title: "Plain",
        text: hostile,
        format: "text",
        metadata: { "<script>": "</script><script>window.hacked=8" },
      },
    ],
  });
  const { items } = await query<{ items: { id: string }[] }>(page.request, app.url, "documents.list", {
    feedId,
  });
  expect(items).toHaveLength(2);
  await page.goto(`${app.url}/feeds/${feedId}`);
  await expect(page.getByRole("link", { name: /onerror/ })).toBeVisible();
  for (const { id } of items) {
    await page.goto(`${app.url}/documents/${id}`);
    await expect(page.getByText("After").first()).toBeVisible();
    for (const link of await page.getByRole("link", { name: "press" }).all())
      await link.click({ trial: true });
    await expect(page.locator("main script, main iframe, main style, main img")).toHaveCount(0);
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
  }
});
