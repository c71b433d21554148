/** A child that lived this long was fine; its next crash counts as the first. */
const HEALTHY_MS = 60_000;
const MAX_DELAY_MS = 30_000;

/**
 * Keeps one child running: starts it again when it ends, at once the first time, later and later when it
 * keeps ending.
 *
 * @param name For messages.
 * @param first The child as it runs now, `{ exited }`.
 * @param start Starts another one; a rejection counts as one more crash.
 * @param signal Aborted when the child is to be stopped: its end is then wanted.
 * @returns resolves with the last child once `signal` is aborted.
 */
export async function keepRunning(name, first, start, signal) {
  let child = first;
  let crashes = 0;
  const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  while (!signal.aborted) {
    if (child) {
      const began = Date.now();
      const reason = await Promise.race([child.exited, aborted]);
      if (signal.aborted) break;
      crashes = Date.now() - began > HEALTHY_MS ? 1 : crashes + 1;
      say(`${name} stopped unexpectedly (${reason}); starting it again.`);
      child = null;
    }
    await Promise.race([sleep(restartDelayMs(crashes)), aborted]);
    if (signal.aborted) break;
    try {
      child = await start();
      say(`${name} is running again.`);
    } catch (error) {
      crashes += 1;
      say(`${name} could not be started: ${error.message}`);
    }
  }
  return child;
}

/** 0, 0.5, 1, 2, … 30 seconds. */
export function restartDelayMs(crashes) {
  return crashes <= 1 ? 0 : Math.min(MAX_DELAY_MS, 250 * 2 ** (crashes - 1));
}

function say(message) {
  process.stdout.write(`  ${new Date().toISOString()} ${message}\n`);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
