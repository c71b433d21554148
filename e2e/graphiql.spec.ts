import { expect, test } from "@playwright/test";
import { mutate } from "./api";
import { AccessPages } from "./pages/access";
import { OWNER, serveApp } from "./serve-app";
import { watchPage } from "./watch-page";

const app = serveApp();

test("GraphiQL works for signed-in people, from here alone and within its policy", async ({ page }) => {
  const watch = await watchPage(page);
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== app.url) elsewhere.push(request.url());
  });
  await new AccessPages(page, app.url).signIn(OWNER);
  await mutate(page.request, app.url, "sources.create", { type: "api", name: "Tide tables" });

  await page.goto(`${app.url}/api/graphql`);
  const run = page.getByRole("button", { name: /Execute query/ });
  await expect(run).toBeVisible({ timeout: 60_000 });
  await run.click();
  const answer = page
    .getByRole("region", { name: "Result Window" })
    .or(page.locator(".result-window"))
    .first();
  await expect(answer).toContainText("Tide tables", { timeout: 30_000 });

  // Its colours follow the site's: the system's, while nothing was chosen. What was typed stays.
  const word = page.getByText("nextAfter").first();
  const before = await word.evaluate((element) => getComputedStyle(element).color);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(word).not.toHaveCSS("color", before);

  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.getByRole("link", { name: "Mutation", exact: true }).click();
  await expect(page.getByText("ingestDocuments").first()).toBeVisible();
  expect(await watch.problems()).toEqual([]);
  expect(elsewhere).toEqual([]);
});

test("tells others where to sign in", async ({ page }) => {
  const watch = await watchPage(page);
  const response = await page.goto(`${app.url}/api/graphql`);
  expect(response?.status()).toBe(401);
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await new AccessPages(page, app.url).trySignIn(OWNER);
  await expect(page.getByRole("button", { name: /Execute query/ })).toBeVisible({ timeout: 60_000 });
  // The browser reports the 401 that this is about, and the router's try to fetch the page as one of its own.
  const others = (await watch.problems()).filter((problem) => !/status of 40[15]/.test(problem));
  expect(others).toEqual([]);
});

test("a policy of one kind holds for what is no page", async ({ request }) => {
  const answer = await request.post(`${app.url}/api/graphql`, { data: { query: "{ __typename }" } });
  expect(answer.status()).toBe(401);
  expect(answer.headers()).toMatchObject({
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  expect((await answer.json()).errors[0].extensions.requestId).toBe(answer.headers()["x-request-id"]);
});
