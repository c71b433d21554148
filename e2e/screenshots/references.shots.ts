import { test } from "@playwright/test";
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

test("GraphiQL", async ({ page }) => {
  await page.goto(`${app.url}/api/graphql`);
  await photograph(page, "graphiql-signed-out");
  await new AccessPages(page, app.url).signIn(OWNER);
  await mutate(page.request, app.url, "sources.create", { type: "api", name: "Tide tables" });
  await page.goto(`${app.url}/api/graphql`);
  await page.getByRole("button", { name: /Execute query/ }).click({ timeout: 60_000 });
  await page.getByText("Tide tables").first().waitFor();
  await photograph(page, "graphiql", { inFront: true });
});
