import type { Page } from "@playwright/test";

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 375, height: 812 };

/**
 * Writes `screenshots-out/NAME-THEME-WIDTH.png` in both themes and both widths.
 *
 * @param options.inFront of something that lies in front of the page: as much as a phone shows, since a
 *   page drawn whole would move it.
 * @param options.isLoading the page is meant to be photographed before it is there.
 */
export async function photograph(
  page: Page,
  name: string,
  { inFront = false, isLoading = false } = {},
): Promise<void> {
  // The live connection never rests, so "network idle" never comes: what loads says so itself.
  if (!isLoading) {
    await page
      .getByRole("status", { name: "Loading" })
      .first()
      .waitFor({ state: "detached", timeout: 10_000 })
      .catch(() => {}); // then the picture shows what it waits for
  }
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const size of [WIDE, PHONE]) {
      await page.setViewportSize(size);
      // A phone as long as the page, so that what stays at its bottom is there and not in the middle.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      if (!inFront) await page.setViewportSize({ ...size, height: Math.max(size.height, height) });
      await page.screenshot({ path: `screenshots-out/${name}-${theme}-${size.width}.png` });
    }
  }
  await page.setViewportSize(WIDE);
}

/** Opens one address after the other and photographs each. */
export async function photographEach(
  page: Page,
  url: string,
  paths: Record<string, string>,
  options?: { inFront?: boolean },
): Promise<void> {
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${url}${path}`);
    await photograph(page, name, options);
  }
}
