import { test } from "@playwright/test";
import { AccessPages } from "../pages/access";
import { OWNER, serveApp, WORKSPACE } from "../serve-app";
import { photograph, photographEach } from "./photograph";

const app = serveApp({ withOwner: false });

test("before signing in", async ({ page }) => {
  const access = new AccessPages(page, app.url);
  await page.goto(app.url);
  await page.getByLabel("Your name").waitFor();
  await photograph(page, "setup");
  await page.getByLabel("Your name").fill(OWNER.name);
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password").fill("short");
  await page.getByLabel("Workspace").fill(WORKSPACE);
  await page.getByRole("button", { name: "Create owner and workspace" }).click();
  await page.getByRole("button", { name: "Create owner and workspace" }).isEnabled();
  await photograph(page, "setup-refused");
  await page.setExtraHTTPHeaders({ via: "1.1 proxy" });
  await page.goto(`${app.url}/setup`);
  await photograph(page, "setup-with-code");
  await page.setExtraHTTPHeaders({});

  await access.setUp(OWNER, WORKSPACE);
  await page.context().clearCookies();
  await photographEach(page, app.url, { "sign-in": "/sign-in", "not-found-outside": "/nothing/at/all" });
  await page.goto(`${app.url}/sign-in`);
  await access.trySignIn({ email: OWNER.email, password: "wrong password" });
  await page.getByText("E-mail or password is wrong.").waitFor();
  await photograph(page, "sign-in-refused");
});

test("an empty workspace, and one that may only be read", async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  const empty = {
    "overview-empty": "/overview",
    "sources-empty": "/sources",
    "feeds-empty": "/feeds",
    "documents-empty": "/documents",
    "documents-rejected-empty": "/documents?view=rejected",
    "runs-empty": "/runs",
    "tokens-empty": "/tokens",
  };
  await photographEach(page, app.url, empty);
  await app.sql("UPDATE memberships SET role = 'viewer'");
  await photographEach(page, app.url, {
    "viewer-sources-empty": "/sources",
    "viewer-tokens": "/tokens",
  });
});
