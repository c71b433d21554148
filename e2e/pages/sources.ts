import { expect, type Page } from "@playwright/test";

/** The list of sources and the way to a new one. */
export class SourcesPage {
  constructor(private readonly page: Page) {}

  async openConnect() {
    await this.page.getByRole("link", { name: "Add source" }).click();
    await expect(this.page.getByRole("heading", { level: 1, name: "Add source" })).toBeVisible();
  }

  /** Without a chosen adapter any address is asked for; afterwards the one the adapter reads. */
  get address() {
    return this.page.getByLabel(/^(Site or feed address|Address of)/);
  }

  async findFeeds(address: string) {
    await this.address.fill(address);
    await this.page.getByRole("button", { name: "Find feeds" }).click();
  }

  row(name: string) {
    return this.page.getByRole("row").filter({ has: this.page.getByRole("link", { name, exact: true }) });
  }

  async act(name: string, act: string) {
    await this.page.getByRole("button", { name: `Acts on ${name}` }).click();
    await this.page.getByRole("menuitem", { name: act }).click();
  }
}
