import { expect, test } from "@playwright/test";
import { mutate } from "./api";
import { AccessPages } from "./pages/access";
import { OWNER, serveApp } from "./serve-app";

const app = serveApp();

test("sends people to sign in and brings them back to where they wanted to go", async ({ page }) => {
  await page.goto(`${app.url}/runs?status=failed`);
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto(`${app.url}/tokens`);
  await new AccessPages(page, app.url).trySignIn(OWNER);
  await expect(page).toHaveURL(`${app.url}/tokens`);
  await page.goto(`${app.url}/setup`);
  await expect(page).toHaveURL(`${app.url}/overview`);
});

test("never returns people to another site after signing in", async ({ page }) => {
  await page.goto(`${app.url}/sign-in?next=${encodeURIComponent("//evil.example/")}`);
  await new AccessPages(page, app.url).trySignIn(OWNER);
  await expect(page).toHaveURL(`${app.url}/overview`);
});

test("says what is wrong with a sign-in, and when there were too many", async ({ page }) => {
  const access = new AccessPages(page, app.url);
  const stranger = { email: "nobody@example.org", password: "wrong password" };
  await page.goto(`${app.url}/sign-in`);
  await access.trySignIn(stranger);
  const alert = page.getByRole("alert").filter({ hasText: /\S/ });
  await expect(alert).toContainText("E-mail or password is wrong.");
  await expect(async () => {
    await access.trySignIn(stranger);
    await expect(alert).toContainText("Too many attempts. Try again in", { timeout: 1000 });
  }).toPass({ timeout: 60_000 });
});

test("signs out here, and everywhere", async ({ browser, page }) => {
  const access = new AccessPages(page, app.url);
  await access.signIn(OWNER);
  await page.getByRole("button", { name: `Account of ${OWNER.name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto(`${app.url}/sources`);
  await expect(page).toHaveURL(/\/sign-in/);

  await access.signIn(OWNER);
  const elsewhere = await browser.newPage();
  await new AccessPages(elsewhere, app.url).signIn(OWNER);
  await page.getByRole("button", { name: `Account of ${OWNER.name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out everywhere…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await elsewhere.goto(`${app.url}/runs`);
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await elsewhere.close();
});

test("shows people who only read no button that writes", async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  const source = await mutate<{ id: string }>(page.request, app.url, "sources.create", {
    type: "api",
    name: "Read me",
    feeds: [{ externalKey: "default", name: "Readings" }],
  });
  await app.sql("UPDATE memberships SET role = 'viewer'");
  try {
    await page.goto(`${app.url}/sources`);
    await expect(page.getByRole("link", { name: "Read me" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Add source" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /Acts on/ })).toHaveCount(0);
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    await page.goto(`${app.url}/sources/new`);
    await expect(page).toHaveURL(`${app.url}/sources`);
    await page.goto(`${app.url}/sources/${source.id}`);
    await expect(page.getByRole("button", { name: /Add feed|Sync now|More acts/ })).toHaveCount(0);
    await page.getByRole("link", { name: "Readings" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Readings" })).toBeVisible();
    await expect(page.getByRole("button", { name: /Pause|More acts/ })).toHaveCount(0);
    await page.goto(`${app.url}/tokens`);
    await expect(page.getByText("Tokens are managed by admins")).toBeVisible();
    await expect(page.getByRole("button", { name: "Create token" })).toHaveCount(0);
  } finally {
    await app.sql("UPDATE memberships SET role = 'owner'");
  }
});
