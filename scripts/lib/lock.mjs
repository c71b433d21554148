import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isAlive, startedAt } from "./processes.mjs";
import { Problem } from "./project.mjs";

/**
 * Takes a lock file that outlives nobody: it names its holder by id and start time, so a holder that
 * was killed does not block the next one.
 *
 * @param purpose What the holder does, shown to whoever finds the lock taken.
 * @param waitMs How long to wait for the present holder.
 * @returns a function that gives it back.
 * @throws Problem when it is still taken.
 */
export async function takeLock(path, purpose, { waitMs = 0, onWait } = {}) {
  const mine = JSON.stringify({ pid: process.pid, started: startedAt(process.pid), purpose });
  const deadline = Date.now() + waitMs;
  let told = false;
  for (;;) {
    if (create(path, mine)) return () => release(path, mine);
    const content = read(path);
    if (content === null) continue; // given back just now
    const holder = parse(content);
    if (!isHeld(holder)) {
      remove(path, content);
      continue;
    }
    if (Date.now() >= deadline) {
      throw new Problem(`${holder.purpose} is already running here (process ${holder.pid}); stop it first.`);
    }
    if (!told) onWait?.(holder);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @returns the live holder `{pid, purpose}`, or null. */
export function lockHolder(path) {
  const content = read(path);
  if (content === null) return null;
  const holder = parse(content);
  return isHeld(holder) ? holder : null;
}

function isHeld(holder) {
  return holder !== null && isAlive(holder.pid) && startedAt(holder.pid) === holder.started;
}

/** Written aside and linked into place, so that nobody ever reads half a lock. */
function create(path, content) {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(aside, content, { mode: 0o600 });
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Removes a dead holder's lock; whoever was faster keeps theirs. */
function remove(path, expected) {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (read(aside) !== expected) {
    try {
      linkSync(aside, path);
    } catch {
      // A third one holds it by now, and the one we moved away will find that out.
    }
  }
  rmSync(aside, { force: true });
}

function release(path, mine) {
  if (read(path) === mine) rmSync(path, { force: true });
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function parse(content) {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
