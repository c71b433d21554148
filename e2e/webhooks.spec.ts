import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { expectAccessible } from "./accessible";
import { mutate } from "./api";
import { openOverview } from "./pages/overview";
import { onlyFeed } from "./sample";
import { serveApp } from "./serve-app";
import { watchPage } from "./watch-page";

const app = serveApp();

type Received = { headers: Record<string, string>; body: string };
const received: Received[] = [];
let status = 204;
let answer = "";
let server: Server;
let address: string;

/** The other program: takes what comes and answers as the story says. */
test.beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end(answer);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tidemark`;
});
test.afterAll(() => server.close());
test.beforeEach(async ({ page }) => {
  received.length = 0;
  status = 204;
  answer = "";
  await app.signIn(page.context());
});

test("an admin adds a webhook, copies its secret, tests it, and sees it work and fail", async ({ page }) => {
  await openOverview(page, app.url);
  const watch = await watchPage(page);
  await page.getByRole("link", { name: "API", exact: true }).click();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByText("No webhook yet")).toBeVisible();
  await expectAccessible(page, "no webhook");

  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("http://10.255.255.1/hook");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByText(/TIDEMARK_ALLOW_PRIVATE_NETWORKS/).first()).toBeVisible();
  await dialog.getByLabel("Address").fill(address);
  await dialog.getByLabel("Description").fill("Pager of the harbour");
  await dialog.getByRole("checkbox", { name: /feed\.paused/ }).check();
  await expectAccessible(page, "adding a webhook");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog).toHaveCount(0);
  const secret = (await page.getByTestId("new-secret").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await expect(page.getByText(`new Webhook("${secret}")`)).toBeVisible();
  await expectAccessible(page, "the secret");

  await page.getByRole("row").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "Pager of the harbour" })).toBeVisible();
  await expect(page.getByTestId("new-secret"), "it is shown once").toHaveCount(0);
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/The test was accepted: the receiver answered 204/)).toBeVisible();
  const [got] = received;
  expect(new Webhook(secret).verify(got?.body ?? "", got?.headers ?? {})).toMatchObject({
    type: "webhook.test",
  });

  status = 500;
  answer = "The pager is out of paper";
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/did not get through.*answered 500/)).toBeVisible();
  const rows = page.getByRole("table", { name: "Deliveries" }).getByRole("row");
  await expect(rows.filter({ hasText: "webhook.test" })).toHaveCount(2);
  await expectAccessible(page, "a test that failed");

  await rows.filter({ hasText: "Failed" }).getByRole("button").click();
  await expect(dialog.getByText("The pager is out of paper")).toBeVisible();
  await expect(dialog.getByText(/webhook-id: dlv_/)).toBeVisible();
  await expectAccessible(page, "a delivery");
  status = 204;
  await dialog.getByRole("button", { name: "Send again" }).click();
  await expect(dialog.getByText(/^204 in/)).toBeVisible();
  expect(received.at(-1)?.headers["webhook-id"]).toBe(received.at(-2)?.headers["webhook-id"]);
  await page.keyboard.press("Escape");
  // The browser notes down the address that was refused on purpose.
  const problems = (await watch.problems()).filter((problem) => !problem.includes("status of 422"));
  expect(problems).toEqual([]);
});

test("what happens is delivered within moments, and the log says so by itself", async ({ page }) => {
  const { id } = await mutate<{ id: string }>(page.request, app.url, "webhooks.create", {
    url: address,
    events: ["feed.paused"],
  });
  const source = await mutate<{ id: string }>(page.request, app.url, "sources.create", {
    type: "api",
    name: "Tides",
    feeds: [{ externalKey: "default", name: "Tides feed" }],
  });
  const feedId = await onlyFeed(page.request, app.url, source.id);
  await page.goto(`${app.url}/webhooks/${id}`);
  await expect(page.getByText("Nothing delivered yet", { exact: true })).toBeVisible();
  await mutate(page.request, app.url, "feeds.pause", { feedId });
  const row = page.getByRole("row").filter({ hasText: "feed.paused" });
  await expect(row.getByText("Delivered")).toBeVisible();
  expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
    type: "feed.paused",
    data: { feedId, feedName: "Tides feed", pausedBy: "person" },
  });
});

test("410 disables it with a notice; it is enabled again, its secret rotated, and it is deleted", async ({
  page,
}) => {
  const { id } = await mutate<{ id: string }>(page.request, app.url, "webhooks.create", {
    url: address,
    events: ["run.failed"],
  });
  await page.goto(`${app.url}/webhooks/${id}`);
  status = 410;
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(/answered 410 \(gone\), which means/)).toBeVisible();
  await expectAccessible(page, "a disabled webhook");
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText(/which means/)).toHaveCount(0);

  const dialog = page.getByRole("dialog");
  const choose = async (act: string) => {
    await page.getByRole("button", { name: "More acts" }).click();
    await page.getByRole("menuitem", { name: act }).click();
    await expect(dialog).toBeVisible();
  };
  await choose("Edit…");
  await expectAccessible(page, "editing");
  await page.keyboard.press("Escape");
  await choose("Rotate secret…");
  await expectAccessible(page, "the question before rotating");
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  await expect(dialog.getByTestId("new-secret")).toHaveText(/^whsec_/);
  await expectAccessible(page, "a rotated secret");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(/Two secrets sign every delivery/)).toBeVisible();

  await choose("Delete…");
  await expectAccessible(page, "the question before deleting");
  await dialog.getByRole("button", { name: "Delete webhook" }).click();
  await expect(page).toHaveURL(`${app.url}/webhooks`);
  await expect(page.getByRole("heading", { level: 1, name: "API" })).toBeVisible();
  expect((await page.request.get(`${app.url}/webhooks/${id}`)).status()).toBe(404);
});

test("fits a phone: the list, a webhook with its deliveries, a delivery", async ({ page }) => {
  const webhook = await mutate<{ id: string }>(page.request, app.url, "webhooks.create", {
    url: `${address}/of/a/receiver/with/a/long/address/${"x".repeat(80)}`,
    events: [
      "run.failed",
      "run.recovered",
      "feed.paused",
      "feed.rate_limited",
      "deletes.held",
      "changes.available",
    ],
    description: "A description that says at some length what this is good for",
  });
  status = 500;
  answer = `{"error":"${"long ".repeat(100)}"}`;
  const { id } = await mutate<{ id: string }>(page.request, app.url, "webhooks.test", {
    webhookId: webhook.id,
  });
  await page.setViewportSize({ width: 375, height: 812 });
  for (const path of ["", `/${webhook.id}`, `/${webhook.id}?delivery=${id}`]) {
    await page.goto(`${app.url}/webhooks${path}`);
    // In front of a page, a dialog hides its heading from whoever asks by role.
    const front = path.includes("delivery")
      ? page.getByRole("dialog")
      : page.getByRole("heading", { level: 1 });
    await expect(front).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});

test("whoever is no admin is told whom to ask", async ({ page }) => {
  await app.sql("UPDATE memberships SET role = 'member'");
  try {
    await page.goto(`${app.url}/webhooks`);
    await expect(page.getByText("Webhooks are managed by admins")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add webhook" })).toHaveCount(0);
  } finally {
    await app.sql("UPDATE memberships SET role = 'owner'");
  }
});
