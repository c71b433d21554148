import { expect, test } from "@playwright/test";
import { mutate, query } from "./api";
import { HostileUpstream } from "./hostile-upstream";
import { AccessPages } from "./pages/access";
import { openLive } from "./pages/open-live";
import { SourcesPage } from "./pages/sources";
import { onlyFeed } from "./sample";
import { OWNER, serveApp } from "./serve-app";
import { watchPage } from "./watch-page";

const app = serveApp();
const upstream = new HostileUpstream();
test.beforeAll(() => upstream.start());
test.afterAll(() => upstream.stop());

test("runs nothing of what an upstream says, and has nothing to report", async ({ page }) => {
  const watch = await watchPage(page);
  await new AccessPages(page, app.url).signIn(OWNER);

  await test.step("while it is connected", async () => {
    const sources = new SourcesPage(page);
    await page.goto(`${app.url}/sources/new`);
    await sources.findFeeds(upstream.url);
    await page.getByRole("button", { name: "Connect 1 feed" }).click();
    await expect(page.getByText("The first sync is done: 1 document.")).toBeVisible();
    expect(await watch.problems()).toEqual([]);
  });

  const feeds = await query<{ items: { id: string; sourceId: string }[] }>(
    page.request,
    app.url,
    "feeds.list",
    {},
  );
  const [feed] = feeds.items;
  if (!feed) throw new Error("no feed was connected");
  const failing = await mutate<{ id: string }>(page.request, app.url, "sources.create", {
    type: "rss",
    name: "<img src=x onerror=\"window.hacked='source'\">",
    feeds: [{ externalKey: `${upstream.url}/broken.xml`, name: "<script>window.hacked='feed'</script>" }],
  });
  const failingFeed = await onlyFeed(page.request, app.url, failing.id);
  await mutate(page.request, app.url, "feeds.sync", { feedId: failingFeed, wait: 30 });
  await mutate(page.request, app.url, "ingest.documents", {
    feedId: failingFeed,
    documents: [
      { id: "<svg onload=window.hacked='rejected'>", date: "<img src=x onerror=window.hacked='date'>" },
      {
        id: "markdown",
        title: "Down",
        format: "markdown",
        url: "javascript:window.hacked='url'",
        text: "[press](javascript:window.hacked='markdown') <script>window.hacked='markdown'</script>",
      },
    ],
  });
  const read = <Row>(path: string, input: object) =>
    query<{ items: Row[] }>(page.request, app.url, path, input).then(({ items }) => items);
  const documents = [
    ...(await read<{ id: string }>("documents.list", { feedId: feed.id })),
    ...(await read<{ id: string }>("documents.list", { feedId: failingFeed })),
  ];
  const runs = await read<{ id: string }>("runs.list", {});
  expect(documents).toHaveLength(2);

  const paths = [
    "/sources",
    "/runs",
    `/sources/${feed.sourceId}`,
    `/sources/${failing.id}`,
    `/feeds/${feed.id}`,
    `/feeds/${failingFeed}`,
    `/feeds/${failingFeed}?tab=runs`,
    `/feeds/${failingFeed}?tab=rejected`,
    ...documents.map(({ id }) => `/documents/${id}`),
    ...runs.map(({ id }) => `/runs/${id}`),
  ];
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(`${app.url}${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      await expect(
        page.locator('a[href^="javascript:"], main script, main iframe, main form[action]'),
      ).toHaveCount(0);
      expect(await watch.problems()).toEqual([]);
    });
  }

  await test.step("what is left of its content is shown", async () => {
    await openLive(page, `${app.url}/documents/${documents[0]?.id}`);
    await expect(page.getByText("What is left")).toBeVisible();
  });

  await test.step("in the command palette and in dialogs", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("window.hacked");
    await expect(page.getByRole("option").first()).toBeVisible();
    expect(await watch.problems()).toEqual([]);
    await page.keyboard.press("Escape");
  });

  await test.step("in an OPML file", async () => {
    await page.goto(`${app.url}/sources/import`);
    await page.getByText("Paste its text instead").click();
    await page.getByLabel("OPML", { exact: true }).fill(upstream.opml());
    await page.getByRole("button", { name: "Read the text" }).click();
    await expect(page.getByRole("status").filter({ hasText: "1 new feed" })).toBeVisible();
    await page.getByRole("button", { name: "Import 1 feed" }).click();
    await expect(page.getByText("Imported 1 feed.")).toBeVisible();
    expect(await watch.problems()).toEqual([]);
  });
});

test("would stop markup that sanitising had missed, and is framed by nobody", async ({ page }) => {
  await app.signIn(page.context());
  const answer = await page.goto(`${app.url}/sources`);
  const headers = answer?.headers() ?? {};
  expect(headers["content-security-policy"]).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic';/);
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
  });
  expect(headers["permissions-policy"]).toContain("camera=()");
  expect(headers["strict-transport-security"], "over http").toBeUndefined();
  const second = await page.request.get(`${app.url}/sources`);
  expect(second.headers()["content-security-policy"], "a nonce of its own").not.toBe(
    headers["content-security-policy"],
  );
  const secure = await page.request.get(`${app.url}/sign-in`, { headers: { "x-forwarded-proto": "https" } });
  expect(secure.headers()["strict-transport-security"]).toMatch(/^max-age=\d{8}/);

  // As if a hole in the sanitiser had let it through.
  const refused = await page.evaluate(async () => {
    const violations = new Set<string>();
    document.addEventListener("securitypolicyviolation", (event) => violations.add(event.effectiveDirective));
    const hole = document.createElement("div");
    hole.innerHTML = `<img src=x onerror="window.hacked=1"><a id="hole" href="javascript:window.hacked=2">x</a>
      <iframe srcdoc="<script>parent.hacked=3</script>"></iframe><img src="https://evil.invalid/track.gif">`;
    document.body.append(hole);
    document.getElementById("hole")?.click();
    // A handler in an attribute, a script in a link or a frame, a foreign image.
    while (violations.size < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    return { hacked: (window as { hacked?: number }).hacked, violations: [...violations].sort() };
  });
  expect(refused).toEqual({
    hacked: undefined,
    violations: ["img-src", "script-src-attr", "script-src-elem"],
  });
});

test("keeps its cookies from scripts and other sites", async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  const cookies = await page.context().cookies();
  const session = cookies.find(({ name }) => name.endsWith("session-token"));
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", secure: false });
  const api = await page.request.get(`${app.url}/api/v1/adapters`);
  expect(api.headers()).toMatchObject({
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  });
});
