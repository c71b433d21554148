import { expect, test } from "@playwright/test";
import { AccessPages } from "./pages/access";
import { OWNER, serveApp, WORKSPACE } from "./serve-app";

const app = serveApp({ withOwner: false });

test.describe("from another machine", () => {
  // What a proxy in between adds: the server then cannot know that it is the person at this machine.
  test.use({ extraHTTPHeaders: { via: "1.1 proxy" } });

  test("the first visit asks for the set-up code and refuses a wrong one", async ({ page }) => {
    const access = new AccessPages(page, app.url);
    await page.goto(`${app.url}/sign-in`);
    await expect(page).toHaveURL(`${app.url}/setup`);
    await page.getByLabel("Set-up code").fill("AAAA-BBBB-CCCC");
    await page.getByLabel("Your name").fill(OWNER.name);
    await page.getByLabel("E-mail").fill(OWNER.email);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.getByLabel("Workspace").fill(WORKSPACE);
    await page.getByRole("button", { name: "Create owner and workspace" }).click();
    await expect(page.getByText("The set-up code is wrong.")).toBeVisible();

    await access.setUp(OWNER, WORKSPACE, app.setupCode);
    await expect(page.getByText("Nothing is connected yet", { exact: true })).toBeVisible();
  });
});
