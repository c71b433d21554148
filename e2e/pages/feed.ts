import { expect, type Page } from "@playwright/test";

/** One feed's page. */
export class FeedPage {
  constructor(private readonly page: Page) {}

  heading(name: string) {
    return this.page.getByRole("heading", { level: 1, name });
  }

  /** The badge beside the title. */
  async expectStatus(word: string) {
    await expect(this.page.locator("header").getByText(word, { exact: true })).toBeVisible();
  }

  /** Starts a sync and waits until it is over. */
  async syncNow() {
    const button = this.page.getByRole("button", { name: "Sync now" });
    const started = this.page.waitForResponse((response) => response.url().includes("/api/trpc/feeds.sync"));
    await button.click();
    await started;
    await expect(button).toBeEnabled();
  }

  async openMenu(act: string) {
    await this.page.getByRole("button", { name: "More acts on this feed" }).click();
    await this.page.getByRole("menuitem", { name: act }).click();
  }

  async openTab(name: string) {
    await this.page.getByRole("tab", { name }).click();
  }
}
