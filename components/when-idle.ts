/** At the latest then, even on a page that never rests. */
const LIMIT_MS = 3_000;

/**
 * For what will probably be wanted, but not to begin with: runs once the page has nothing better to do.
 * @returns calls it off.
 */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const asked = requestIdleCallback(act, { timeout: LIMIT_MS });
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(act, LIMIT_MS / 2); // Safari
  return () => clearTimeout(timer);
}
