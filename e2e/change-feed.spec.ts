import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { mutate } from "./api";
import { ChangeFeedPage } from "./pages/change-feed";
import { openOverview } from "./pages/overview";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";
import { watchPage } from "./watch-page";

const app = serveApp();
/** From the answer to a push until it is seen: well before a page that lost its updates asks by the clock. */
const SOON = { timeout: 4_000 };

let token: string;
let tides: Origin;
let winds: Origin;

type Origin = { sourceId: string; feedId: string };

test.beforeAll(async () => {
  tides = await pushedFeed(app.asOwner, "Tides");
  winds = await pushedFeed(app.asOwner, "Winds");
  const made = await mutate<{ token: string }>(app.asOwner, app.url, "tokens.create", {
    name: "Harbour laptop",
    scopes: ["documents:write", "changes:read"],
  });
  token = made.token;
});
test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
});

async function pushedFeed(request: APIRequestContext, name: string): Promise<Origin> {
  const source = await mutate<{ id: string }>(request, app.url, "sources.create", {
    type: "api",
    name,
    feeds: [{ externalKey: "default", name: `${name} feed` }],
  });
  return { sourceId: source.id, feedId: await onlyFeed(request, app.url, source.id) };
}

const authorised = () => ({ Authorization: `Bearer ${token}` });

/** As a program does it: over REST, with a token. */
async function push(request: APIRequestContext, { feedId }: Origin, documents: object[]) {
  const answer = await request.post(`${app.url}/api/v1/feeds/${feedId}/documents`, {
    headers: authorised(),
    data: { documents },
  });
  expect(answer.status()).toBe(200);
}

async function pull(request: APIRequestContext, query: string) {
  const answer = await request.get(`${app.url}/api/v1/changes?${query}`, { headers: authorised() });
  return { status: answer.status(), body: (await answer.json()) as { cursor: string } };
}

test("shows a push live, without reload, and a delete as such", async ({ page, request }) => {
  const feed = new ChangeFeedPage(page);
  const watch = await watchPage(page);
  await feed.open(app.url);
  await push(request, tides, [{ id: "live-1", title: "High water at noon", text: "5.1 m" }]);
  const row = feed.change("High water at noon");
  await expect(row).toContainText("Changed", SOON);
  await expect(row.getByRole("link", { name: "Tides feed" })).toHaveAttribute(
    "href",
    `/feeds/${tides.feedId}`,
  );
  await expect.poll(() => feed.place("Safe point")).toContain("It is the head");
  const place = Number((await feed.place("Head")).match(/[\d,]+/)?.[0]?.replaceAll(",", ""));

  await push(request, tides, [{ id: "live-1", deleted: true }]);
  await expect(feed.tail.getByRole("row").nth(1)).toContainText("Deleted", SOON);
  await expect(feed.tail.getByRole("row").nth(1)).toContainText("live-1");
  await expect(feed.tail.getByRole("row").nth(2), "what it was before stays").toContainText("High water");
  await expect
    .poll(async () => Number((await feed.place("Head")).match(/[\d,]+/)?.[0]?.replaceAll(",", "")))
    .toBe(place + 1);
  await feed.change("live-1").first().getByRole("link", { name: "live-1" }).click();
  await expect(page.getByText("This is a tombstone")).toBeVisible();
  expect(await watch.problems()).toEqual([]);
});

test("shows what a filter leaves, and counts what comes while it is paused", async ({ page, request }) => {
  const feed = new ChangeFeedPage(page);
  await push(request, tides, [{ id: "t-1", title: "Ebb at six" }]);
  await push(request, winds, [{ id: "w-1", title: "Gale from the west" }]);
  await feed.open(app.url);
  await expect(feed.change("Ebb at six")).toBeVisible();
  await page.getByLabel("Source", { exact: true }).selectOption({ label: "Winds" });
  await expect(page).toHaveURL(new RegExp(`source=${winds.sourceId}`));
  await feed.expectTail("Live");
  await expect(feed.change("Gale from the west")).toBeVisible();
  await expect(feed.change("Ebb at six")).toHaveCount(0);
  await push(request, tides, [{ id: "t-2", title: "Flood at nine" }]);
  await push(request, winds, [{ id: "w-2", title: "Calm" }]);
  await expect(feed.change("Calm")).toBeVisible(SOON);
  await expect(feed.change("Flood at nine")).toHaveCount(0);

  await page.getByRole("button", { name: "Pause the tail" }).click();
  await feed.expectTail("Paused");
  await push(request, winds, [
    { id: "w-3", title: "Breeze" },
    { id: "w-4", title: "Storm" },
  ]);
  const resume = page.getByRole("button", { name: "Resume: 2 new" });
  await expect(resume).toBeVisible(SOON);
  await expect(feed.change("Breeze")).toHaveCount(0);
  await resume.click();
  await expect(feed.change("Breeze")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(feed.change("Flood at nine")).toBeVisible();
});

test("holds no more rows than somebody reads", async ({ page, request }) => {
  const feed = new ChangeFeedPage(page);
  await feed.open(app.url);
  for (const part of ["a", "b"]) {
    const documents = Array.from({ length: 40 }, (_, n) => ({
      id: `many-${part}${n}`,
      title: `Many ${part}${n}`,
    }));
    await push(request, tides, documents);
  }
  await expect(feed.change("Many b39")).toBeVisible();
  await expect(feed.tail.getByRole("row")).toHaveCount(51); // and the header
});

test("says that the connection is lost, and leaves nothing out when it is back", async ({
  page,
  request,
}) => {
  const feed = new ChangeFeedPage(page);
  await page.route("**/api/trpc/changes.tail**", (route) => route.abort());
  await page.goto(`${app.url}/changes`);
  await feed.expectTail("Connection lost");
  await push(request, tides, [{ id: "missed", title: "Said meanwhile" }]);
  await expect(feed.change("Said meanwhile"), "it is asked for by the clock").toBeVisible();
  await push(request, tides, [{ id: "missed-2", title: "And this" }]);
  await page.unroute("**/api/trpc/changes.tail**");
  await feed.expectTail("Live");
  await expect(feed.change("And this")).toBeVisible();
});

test("says why the safe point is behind: a writer is open", async ({ page }) => {
  const feed = new ChangeFeedPage(page);
  await feed.open(app.url);
  await app.sql("BEGIN");
  try {
    // A writer that was given its place and does not end, and another that passes it.
    await app.sql(
      "UPDATE documents SET title = title WHERE id = (SELECT id FROM documents WHERE seq IS NOT NULL LIMIT 1)",
    );
    await mutate(page.request, app.url, "ingest.documents", {
      feedId: winds.feedId,
      documents: [{ id: "held", title: "Held back" }],
    });
    await expect.poll(() => feed.place("Safe point")).toContain("a writer that began earlier is still open");
    await expect(feed.change("Held back")).toHaveCount(0);
  } finally {
    await app.sql("ROLLBACK");
  }
  await expect(feed.change("Held back")).toBeVisible();
  await expect.poll(() => feed.place("Safe point")).toContain("It is the head");
});

test("lists who polls, how far behind, and forgets them on request", async ({ page, request }) => {
  const feed = new ChangeFeedPage(page);
  await feed.open(app.url);
  const { body } = await pull(request, `limit=1&cursor=now&feedId=${winds.feedId}&consumer=wind-mirror`);
  await expect(feed.consumer("wind-mirror")).toContainText("none");
  await expect(feed.consumer("wind-mirror")).toContainText("Harbour laptop");
  await expect(feed.consumer("wind-mirror")).toContainText("Winds feed");
  await push(request, winds, [{ id: "w-8" }, { id: "w-9" }, { id: "w-10" }]);
  await push(request, tides, [{ id: "t-8" }]);
  await expect(feed.consumer("wind-mirror").getByRole("cell").nth(3)).toHaveText("3");
  await expect(feed.consumer("wind-mirror").locator("time").last()).toHaveAttribute(
    "title",
    /\d{4}, \d\d:\d\d:\d\d/,
  );

  // The delete it was not told of is almost as old as deletes get.
  await push(request, winds, [{ id: "w-8", deleted: true }]);
  await app.sql("UPDATE documents SET changed_at = now() - interval '27 days' WHERE external_id = 'w-8'");
  await feed.open(app.url);
  await expect(page.getByText(/wind-mirror expires soon: 2 days left/)).toBeVisible();
  await expect(feed.consumer("wind-mirror")).toContainText("Expires soon");
  const watch = await watchPage(page);
  await feed.open(app.url);
  expect(await watch.problems(), "the server's markup was taken over as it is").toEqual([]);

  await app.sql("UPDATE workspaces SET horizon = (SELECT max(seq) FROM documents)");
  await expect(page.getByText("wind-mirror must start again")).toBeVisible();
  expect((await pull(request, `feedId=${winds.feedId}&cursor=${body.cursor}`)).status).toBe(410);
  await expectAccessible(page, "a consumer that expired");

  await page.getByRole("button", { name: "Forget wind-mirror…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget wind-mirror" }).click();
  await expect(page.getByText("Forgotten: wind-mirror")).toBeVisible();
  await expect(feed.consumer("wind-mirror")).toHaveCount(0);
});

test("gives a command that works as it stands, with the filter and the place of the tail", async ({
  page,
  request,
}) => {
  const feed = new ChangeFeedPage(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await push(request, winds, [{ id: "try-1", title: "Before" }]);
  await feed.open(app.url, `?source=${winds.sourceId}&feed=${winds.feedId}`);
  await page.getByLabel("Start").selectOption("here");
  await page.getByRole("button", { name: "Copy curl" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const address = /'(http[^']+)'/.exec(command)?.[1] ?? "";
  expect(address).toContain(`${app.url}/api/v1/changes?limit=100&cursor=`);
  await push(request, winds, [{ id: "try-2", title: "After" }]);
  await push(request, tides, [{ id: "try-3", title: "Elsewhere" }]);
  const answer = await request.get(address, { headers: authorised() });
  expect(answer.status()).toBe(200);
  const { changes } = (await answer.json()) as { changes: { externalId: string }[] };
  expect(changes.map((change) => change.externalId)).toEqual(["try-2"]);
  await expect(feed.consumer("my-copy")).toBeVisible();
  await page.getByRole("tab", { name: "JavaScript" }).click();
  await expect(page.getByText(`feedId: "${winds.feedId}"`)).toBeVisible();
});

test("changes how long deletes are kept, says what a shorter time does, and refuses what makes no sense", async ({
  page,
}) => {
  const feed = new ChangeFeedPage(page);
  await feed.open(app.url);
  const days = page.getByLabel("Days");
  const save = page.getByRole("button", { name: "Save" });
  for (const [text, problem] of [
    ["0", "At least 1 day"],
    ["soon", "not a number"],
    ["4000", "At most 3650"],
  ] as const) {
    await days.fill(text);
    await save.click();
    await expect(page.getByText(problem)).toBeVisible();
    await expect(days).toHaveAttribute("aria-invalid", "true");
  }
  await days.fill("60");
  await save.click();
  await expect(page.getByText("Deletes are kept for 60 days")).toBeVisible();
  await expect(days).toHaveValue("60");
  await days.fill("7");
  await save.click();
  const dialog = page.getByRole("dialog", { name: "Keep deletes for 7 days instead of 60?" });
  await expect(dialog.getByText(/forgotten/).first()).toBeVisible();
  await expectAccessible(page, "the question before a shorter time");
  await dialog.getByRole("button", { name: "Keep for 7 days" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => app.sql("SELECT retention_days FROM workspaces")).toEqual([{ retention_days: 7 }]);
});

test("shows people who only read everything and no button that writes", async ({ page, request }) => {
  await pull(request, "consumer=anybody");
  await app.sql("UPDATE memberships SET role = 'viewer'");
  try {
    const feed = new ChangeFeedPage(page);
    await feed.open(app.url);
    await expect(feed.consumer("anybody")).toBeVisible();
    await expect(page.getByText(/^Deletes are kept for \d+ days\. Admins can change it\.$/)).toBeVisible();
    await expect(page.getByRole("button", { name: /Forget|Save/ })).toHaveCount(0);
    await expect(page.getByLabel("Days")).toHaveCount(0);
    await push(request, tides, [{ id: "seen-by-all", title: "For every eye" }]);
    await expect(feed.change("For every eye")).toBeVisible(SOON);
  } finally {
    await app.sql("UPDATE memberships SET role = 'owner'");
  }
});

test("is reached by g c and from the palette, and is walked by keyboard", async ({ page, request }) => {
  await push(request, tides, [{ id: "walked", title: "A row to walk to" }]);
  await openOverview(page, app.url);
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "Change feed" })).toBeVisible();
  const feed = new ChangeFeedPage(page);
  await feed.expectTail("Live");
  await expect(feed.tail).toBeVisible();
  await page.keyboard.press("j");
  await expect(feed.tail.getByRole("row").nth(1).getByRole("link").first()).toBeFocused();
});

test("teaches while there is nothing, and ends with a word on a filter that names nothing", async ({
  page,
}) => {
  const feed = new ChangeFeedPage(page);
  await expectEmpty(page, feed);
  await page.goto(`${app.url}/changes?feed=feed_00000000000000000000000000`);
  await expect(page.getByText("There is no such feed in this workspace.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await feed.expectTail("Live");
});

async function expectEmpty(page: Page, feed: ChangeFeedPage) {
  const quiet = await pushedFeed(page.request, "Quiet");
  await feed.open(app.url, `?source=${quiet.sourceId}`);
  await expect(page.getByText("Nothing was stored there yet")).toBeVisible();
  await expectAccessible(page, "an empty tail");
}
