import type { Page } from "@playwright/test";

/** What must not happen on any page: refused by the policy, thrown, or executed from upstream's text. */
export type Watch = {
  /** Everything bad so far, with the page it happened on. */
  problems(): Promise<string[]>;
};

/** Call it before the first navigation. Hostile text of the tests sets `window.hacked`. */
export async function watchPage(page: Page): Promise<Watch> {
  const seen: string[] = [];
  page.on("pageerror", (error) => seen.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") seen.push(`${page.url()}: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    seen.push(`${page.url()}: a dialog said ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction("__violated", (what: string) => seen.push(what));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report = `${location.pathname}: ${event.effectiveDirective} refused ${event.blockedURI} ${event.sample}`;
      (window as unknown as { __violated(what: string): void }).__violated(report);
    });
  });
  return {
    async problems() {
      const hacked = await page.evaluate(() => (window as { hacked?: unknown }).hacked);
      return hacked === undefined ? seen : [...seen, `${page.url()}: text from upstream ran (${hacked})`];
    },
  };
}
