import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Is there a process of that id? A zombie is not one. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
  return processState(pid) !== "Z";
}

/**
 * When the process began, in whatever unit the system has. Together with the id it names one process
 * for ever: ids are used again, so an id alone proves nothing after a crash.
 */
export function startedAt(pid) {
  return statFields(pid)?.[19] ?? ps(pid, "lstart=");
}

/** The command line, or "" when there is no such process. */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return process.platform === "linux" ? "" : ps(pid, "command=");
  }
}

function processState(pid) {
  return statFields(pid)?.[0] ?? ps(pid, "stat=").charAt(0);
}

/** Fields of /proc/<pid>/stat after the command's name, which may hold spaces and brackets. */
function statFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function ps(pid, column) {
  if (process.platform === "linux" || process.platform === "win32") return "";
  try {
    return execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

/**
 * Waits until the process is gone.
 *
 * @returns false when it is still there after `timeoutMs`.
 */
export async function waitForExit(pid, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}
