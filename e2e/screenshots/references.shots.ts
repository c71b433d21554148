import { type Page, test } from "@playwright/test";
import { mutate } from "../api";
import { AccessPages } from "../pages/access";
import { OWNER, serveApp } from "../serve-app";
import { photograph } from "./photograph";

const app = serveApp();

test("the API reference", async ({ page }) => {
  await page.goto(`${app.url}/docs`);
  const push = page.getByRole("button", { name: /POST.*feedId.*documents/i }).first();
  await push.waitFor();
  await photograph(page, "docs");
  await push.click();
  await page.getByText("too_many_documents").first().waitFor();
  await photograph(page, "docs-operation", { inFront: true });
});

test("the guides", async ({ page }) => {
  await page.goto(`${app.url}/docs/following-changes`);
  await photograph(page, "guide");
  await page.goto(`${app.url}/docs/ingest`);
  await photograph(page, "guide-tables");
});

test("GraphiQL", async ({ page }) => {
  await page.goto(`${app.url}/api/graphql`);
  await photograph(page, "graphiql-signed-out");
  await new AccessPages(page, app.url).signIn(OWNER);
  await mutate(page.request, app.url, "sources.create", { type: "api", name: "Tide tables" });
  for (const theme of ["light", "dark"] as const) {
    await page.goto("about:blank"); // it begins anew when the theme changes under it
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto(`${app.url}/api/graphql`);
    await page.getByRole("button", { name: /Execute query/ }).click({ timeout: 60_000 });
    await page.getByText("Tide tables").first().waitFor();
    for (const width of [1440, 375]) await shoot(page, theme, width);
  }
});

async function shoot(page: Page, theme: string, width: number) {
  await page.setViewportSize({ width, height: 900 });
  await page.screenshot({ path: `screenshots-out/graphiql-${theme}-${width}.png` });
}
