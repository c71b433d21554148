/** The server that gave the page did not give the script: it may be back by then. */
const RETRY_MS = 5_000;

/**
 * Opens something whose script is fetched after the page, and tries again where that does not come.
 *
 * @param fetch gives what opens it. @returns ends it.
 */
export function fetchAndOpen(
  fetch: () => Promise<() => () => void>,
  onLost: (since: Date) => void,
): () => void {
  let end = () => {};
  let isOver = false;
  async function open() {
    try {
      const begin = await fetch();
      if (!isOver) end = begin();
    } catch {
      if (isOver) return;
      onLost(new Date());
      const retry = setTimeout(() => void open(), RETRY_MS);
      end = () => clearTimeout(retry);
    }
  }
  void open();
  return () => {
    isOver = true;
    end();
  };
}
