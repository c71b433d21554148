import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { serveApp } from "./serve-app";
import { watchPage } from "./watch-page";

const app = serveApp();

for (const width of [375, 1440]) {
  test(`shows the API reference to anybody, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const watch = await watchPage(page);
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(app.url) && !request.url().startsWith("data:"))
        elsewhere.push(request.url());
    });
    await page.goto(`${app.url}/docs`);
    await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
    const push = page.getByRole("button", { name: /POST.*feedId.*documents/i }).first();
    await expect(push).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await expectAccessible(page, `the list, ${width}`);
    await push.click();
    await expect(page.getByText("too_many_documents").first()).toBeVisible();
    await expectAccessible(page, `an operation, ${width}`);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(elsewhere).toEqual([]);
    expect(await watch.problems()).toEqual([]);
  });
}
