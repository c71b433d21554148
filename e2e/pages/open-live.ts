import { expect, type Page } from "@playwright/test";

/**
 * Opens a page and waits until it listens: to keys, which a page that is drawn but whose script has not begun does not
 * hear, and to changes, which come by themselves from then on.
 */
export async function openLive(page: Page, address: string): Promise<void> {
  const live = page.waitForResponse((response) => response.url().includes("/api/trpc/live.events"));
  await page.goto(address);
  expect((await live).status()).toBe(200);
}
