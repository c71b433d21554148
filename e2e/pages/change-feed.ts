import { expect, type Locator, type Page } from "@playwright/test";

/** The page "Change feed". */
export class ChangeFeedPage {
  readonly tail: Locator;
  readonly consumers: Locator;

  constructor(private readonly page: Page) {
    this.tail = page.getByRole("table", { name: "Changes, the latest first" });
    this.consumers = page.getByRole("table", { name: "Consumers" });
  }

  /** Opens it, and waits until what was before is read and changes come by themselves. */
  async open(url: string, query = "") {
    await this.page.goto(`${url}/changes${query}`);
    await expect(this.page.getByRole("heading", { level: 1, name: "Change feed" })).toBeVisible();
    await this.expectTail("Live");
    await expect(this.page.getByRole("region", { name: "Live tail" })).toHaveAttribute("aria-busy", "false");
  }

  async expectTail(word: string) {
    const section = this.page.getByRole("region", { name: "Live tail" });
    await expect(section.getByRole("status").filter({ hasText: word })).toBeVisible();
  }

  change(text: string): Locator {
    return this.tail.getByRole("row").filter({ hasText: text });
  }

  consumer(name: string): Locator {
    return this.consumers.getByRole("row").filter({ hasText: name });
  }

  /** What stands beside a place of the feed. */
  async place(label: string): Promise<string> {
    const row = this.page
      .getByRole("region", { name: "Where it stands" })
      .locator("dl > div")
      .filter({ has: this.page.getByText(label, { exact: true }) });
    return (await row.locator("dd").allInnerTexts()).join(" ");
  }
}
