import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Nothing serious or critical on what the page shows right now, in both themes. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Legacy mode looks at frames of this origin only, and opens no page of its own to put the answers together.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    const { violations } = await axe.analyze();
    const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const found = bad.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    expect(found, `${what}, ${colorScheme}`).toEqual([]);
  }
}
