import { readFileSync } from "node:fs";

const CHECK_MS = 1_000;

/**
 * Calls back once when the npm that started this script is gone. npm passes a SIGTERM to the shell between
 * it and us, which dies of it without telling us; and of a killed npm nobody tells us at all. Without
 * this, `kill` on what the user started would leave all of it running.
 */
export function onParentGone(callback) {
  // Started by hand or by a service manager: whoever did it has our own process id.
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(timer);
    callback();
  }, CHECK_MS);
  timer.unref();
}

/** Null where there is no /proc; the shell alone is watched there. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  } catch {
    return null;
  }
}
