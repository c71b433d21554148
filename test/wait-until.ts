import { setTimeout as delay } from "node:timers/promises";

/** Waits for a condition, asking every few milliseconds. @throws Error after `timeoutMs`. */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await delay(5);
  }
}
