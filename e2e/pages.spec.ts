import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { mutate, query } from "./api";
import { everyPage } from "./every-page";
import { openLive } from "./pages/open-live";
import { onlyFeed } from "./sample";
import { serveSample } from "./serve-sample";

const { app, sample } = serveSample();

test("fits a phone: nothing scrolls sideways, the navigation is at the bottom, rows are cards", async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  for (const path of everyPage(sample)) {
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
  await bar.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(page).toHaveURL(`${app.url}/settings`);
});

test("draws every page accessibly and without an error, with a title, the server's markup taken over as it is, and no link leads nowhere", async ({
  page,
}) => {
  test.setTimeout(300_000); // thirty pages, each read twice by axe
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${page.url()}: ${message.text()}`);
  });
  const ahead: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"]) ahead.push(`${page.url()}: ${request.url()}`);
  });
  const seen = new Set<string>();
  const titles = new Map<string, string>();
  const paths = everyPage(sample);
  const missing = paths.pop() ?? "";
  for (const path of paths) {
    // As people's browsers are, whatever axe was shown last.
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await page.goto(`${app.url}${path}`);
    titles.set(path, await page.title());
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    const hrefs = await page
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) if (href.startsWith(app.url) && !href.includes("#")) seen.add(href);
    await expectAccessible(page, path);
  }
  expect(errors).toEqual([]);
  expect(ahead, "pages that nobody opened").toEqual([]);
  expect(seen.size).toBeGreaterThan(10);
  const headers = { accept: "text/html" }; // as a browser that follows a link
  for (const href of seen) expect((await page.request.get(href, { headers })).status(), href).toBe(200);

  const { sourceId, feedId } = sample;
  const own = ["/sources", "/sources/new", `/sources/${sourceId}`, `/feeds/${feedId}`, "/runs", "/tokens"];
  expect(new Set(own.map((path) => titles.get(path))).size).toBe(own.length);
  expect(titles.get(`/feeds/${feedId}`)).toBe("Tide tables · Tidemark");

  // The browser notes down that there is none.
  await page.goto(`${app.url}${missing}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page, missing);
});

test("can be walked by keyboard: j and k between rows, Enter opens", async ({ page }) => {
  await openLive(page, `${app.url}/feeds/${sample.feedId}`);
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
