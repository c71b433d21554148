import { expect, type Page, test } from "@playwright/test";
import { mutate } from "./api";
import { SourcesPage } from "./pages/sources";
import { OWNER, serveApp } from "./serve-app";

const app = serveApp();

test.beforeEach(async ({ page }) => {
  await app.signIn(page.context());
  await mutate(page.request, app.url, "sources.create", {
    type: "api",
    name: "Sensor readings",
    key: "sensors",
  });
});

/** A page on which nothing is fetched ahead, as on a slow line. */
async function openSlowly(page: Page) {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.goto(`${app.url}/sources`);
  await expect(page.getByRole("row").nth(1)).toBeVisible();
}

/** Scripts that the page asks for wait from now on. @returns lets them through. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**", async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test("opens a menu that was asked for before its script was there, its first act under the keys", async ({
  page,
}) => {
  await openSlowly(page);
  const release = await holdScripts(page);
  const button = page.getByRole("button", { name: "Acts on Sensor readings" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(button).toHaveAttribute("aria-expanded", "false");
  release();
  await expect(page.getByRole("menuitem", { name: "Pause" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Pause" })).toBeFocused();
});

test("says what was done, although what shows it came later", async ({ page }) => {
  await openSlowly(page);
  await page.getByRole("button", { name: "Acts on Sensor readings" }).click();
  await expect(page.getByRole("menuitem", { name: "Pause" })).toBeVisible();
  const release = await holdScripts(page);
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(page.getByRole("row", { name: /Sensor readings.*Paused/ })).toBeVisible();
  await expect(page.getByText("Paused: Sensor readings")).toHaveCount(0);
  release();
  await expect(page.getByText("Paused: Sensor readings")).toBeVisible();
  await new SourcesPage(page).act("Sensor readings", "Resume");
  await expect(page.getByText("Resumed: Sensor readings")).toBeVisible();
});

test("sends no form before its script is there: nobody's password stands in an address", async ({ page }) => {
  await page.context().clearCookies();
  const release = await holdScripts(page);
  await page.goto(`${app.url}/sign-in`, { waitUntil: "commit" });
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password").fill(OWNER.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
  release();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${app.url}/overview`);
});
