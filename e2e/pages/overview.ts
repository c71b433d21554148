import { expect, type Page } from "@playwright/test";
import { openLive } from "./open-live";

/** Opens the page that people are on after signing in, for stories that begin there. */
export async function openOverview(page: Page, url: string): Promise<void> {
  await openLive(page, `${url}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
}
