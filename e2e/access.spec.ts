import { expect, type Page, test } from "@playwright/test";
import { mutate } from "./api";
import { AccessPages } from "./pages/access";
import { OWNER, serveApp, WORKSPACE } from "./serve-app";

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

test("invites somebody, who joins, is given another role while looking, and is removed at once", async ({
  browser,
  page,
}) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("button", { name: "Invite person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail").fill(OWNER.email);
  await dialog.getByRole("button", { name: "Make link" }).click();
  await expect(dialog.getByText("belongs to this workspace already")).toHaveCount(1);
  await dialog.getByLabel("E-mail").fill("bo@example.org");
  await dialog.getByLabel(/^Viewer/).check();
  await dialog.getByRole("button", { name: "Make link" }).click();
  const link = (await page.getByTestId("new-invitation").textContent()) ?? "";
  await expect(page.getByRole("table", { name: "Invitations" })).toContainText("bo@example.org");

  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.getByRole("heading", { level: 1, name: `Join ${WORKSPACE} on Tidemark` })).toBeVisible();
  await other.getByLabel("Your name").fill("Bo Neap");
  await other.getByLabel("Password").fill("springs and neaps");
  await other.getByRole("button", { name: "Join" }).click();
  await expect(other.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const bo = page.getByRole("row").filter({ hasText: "Bo Neap" });
  await expect(bo).toContainText("Viewer");
  await expect(page.getByRole("table", { name: "Invitations" })).toHaveCount(0);
  expect((await page.request.get(link)).status(), "a link works once").toBe(404);

  await other.goto(`${app.url}/sources`);
  await expect(other.getByRole("link", { name: "Add source" })).toHaveCount(0);
  await page.getByRole("button", { name: "Acts on Bo Neap" }).click();
  await page.getByRole("menuitem", { name: "Change role…" }).click();
  await dialog.getByLabel(/^Member/).check();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(bo).toContainText("Member");
  await expect(other.getByRole("link", { name: "Add source" }).first(), "without a reload").toBeVisible();

  await page.getByRole("button", { name: "Acts on Bo Neap" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await dialog.getByRole("button", { name: "Remove Bo Neap" }).click();
  await expect(bo).toHaveCount(0);
  await expect(other, "by itself").toHaveURL(/\/sign-in/);
  await new AccessPages(other, app.url).trySignIn({ email: "bo@example.org", password: "springs and neaps" });
  await expect(other.getByText("E-mail or password is wrong.")).toBeVisible();
  await other.context().close();
});

test("names the workspace for everybody who looks, and changes a password without signing out here", async ({
  browser,
  page,
}) => {
  const changed = { ...OWNER, password: "another long password" };
  const elsewhere = await (await browser.newContext()).newPage();
  await new AccessPages(page, app.url).signIn(OWNER);
  await new AccessPages(elsewhere, app.url).signIn(OWNER);
  await page.goto(`${app.url}/settings`);
  await page.getByLabel("Workspace").fill("Pilot station");
  await page.getByRole("button", { name: "Save" }).first().click();
  const header = (of: Page) => of.getByRole("banner").first();
  await expect(header(page)).toContainText("Pilot station");
  await expect(header(elsewhere), "without a reload").toContainText("Pilot station");

  await page.getByRole("button", { name: `Account of ${OWNER.name}` }).click();
  await page.getByRole("menuitem", { name: "Your account" }).click();
  await page.getByLabel("Current password").fill("a guess of mine");
  await page.getByLabel("New password").fill(changed.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This is not your current password.")).toHaveCount(1);
  await page.getByLabel("Current password").fill(OWNER.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Everywhere else you are signed out")).toBeVisible();
  await expect(elsewhere, "by itself").toHaveURL(/\/sign-in/);
  await page.goto(`${app.url}/settings/account`);
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  await new AccessPages(elsewhere, app.url).trySignIn(changed);
  await expect(elsewhere.getByRole("button", { name: `Account of ${OWNER.name}` })).toBeVisible();
  await elsewhere.context().close();

  await mutate(page.request, app.url, "account.changePassword", {
    currentPassword: changed.password,
    newPassword: OWNER.password,
  });
  await mutate(page.request, app.url, "workspace.rename", { name: WORKSPACE });
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
    await page.goto(`${app.url}/settings`);
    await expect(page.getByText("Owners can change it.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(0);
    await page.goto(`${app.url}/settings/people`);
    await expect(page.getByRole("row").filter({ hasText: OWNER.email })).toContainText("Viewer");
    await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  } finally {
    await app.sql("UPDATE memberships SET role = 'owner'");
  }
});
