import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { everyQuestion } from "./every-page";
import { serveSample } from "./serve-sample";

/** Nothing serious or critical by axe, in both themes; of the pages themselves it is pages.spec.ts that says so. */
const { app, sample } = serveSample();

test.setTimeout(300_000); // each state is read twice by axe

test("every question in front of a page is accessible", async ({ page }) => {
  for (const path of everyQuestion(sample)) {
    await page.goto(`${app.url}${path}`);
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page, path);
  }
});

test("inviting and joining are accessible", async ({ page }) => {
  await page.goto(`${app.url}/settings/people`);
  await page.getByRole("button", { name: "Invite person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail").fill("bo@example.org");
  await expectAccessible(page, "invite dialog");
  await dialog.getByRole("button", { name: "Make link" }).click();
  const link = page.getByTestId("new-invitation");
  await expect(link).toBeVisible();
  await expectAccessible(page, "an invitation");
  await page.goto((await link.textContent()) ?? "");
  await expect(page.getByRole("button", { name: "Join" })).toBeVisible();
  await expectAccessible(page, "joining");
  await page.goto(`${app.url}/invite/nothing`);
  await expect(page.getByRole("heading", { name: /does not hold any more/ })).toBeVisible();
  await expectAccessible(page, "an invitation that does not hold");
});

test("menus, the bar of acts, a rejected document and a list that failed are accessible", async ({
  page,
}) => {
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
