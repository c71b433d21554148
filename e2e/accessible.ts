import { expect, type Frame, type Page } from "@playwright/test";
import axe from "axe-core";

/** Nothing serious or critical on what the page shows right now, in both themes. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const frame of page.frames()) await bringAxe(frame);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const found = await page.evaluate(async () => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const { violations } = await run(document, { resultTypes: ["violations"] });
      const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      return bad.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    });
    expect(found, `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** Once a document: reading half a megabyte of script takes as long as looking at a page. */
async function bringAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(axe.source);
}
