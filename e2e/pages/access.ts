import { expect, type Page } from "@playwright/test";

/** The pages before sign-in. */
export class AccessPages {
  constructor(
    private readonly page: Page,
    private readonly url: string,
  ) {}

  async setUp(owner: { name: string; email: string; password: string }, workspace: string, code?: string) {
    await this.page.goto(this.url);
    await expect(this.page).toHaveURL(`${this.url}/setup`);
    if (code) await this.page.getByLabel("Set-up code").fill(code);
    await this.page.getByLabel("Your name").fill(owner.name);
    await this.page.getByLabel("E-mail").fill(owner.email);
    await this.page.getByLabel("Password").fill(owner.password);
    await this.page.getByLabel("Workspace").fill(workspace);
    await this.page.getByRole("button", { name: "Create owner and workspace" }).click();
    await expect(this.page).toHaveURL(`${this.url}/overview`);
  }

  /** Fills the form in; what comes of it is the caller's to see. */
  async trySignIn({ email, password }: { email: string; password: string }) {
    await this.page.getByLabel("E-mail").fill(email);
    await this.page.getByLabel("Password").fill(password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  async signIn(person: { email: string; password: string }) {
    await this.page.goto(`${this.url}/sign-in`);
    await this.trySignIn(person);
    await expect(this.page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  }
}
