import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A secret of this install, made on first use and readable by its owner alone.
 *
 * @param name File name under `directory`.
 */
export function installSecret(directory, name) {
  const path = join(directory, name);
  const known = read(path);
  if (known) return known;
  // Linked into place whole: a crash leaves either no secret or a complete one, and of two processes
  // that start together both end up with the same.
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(aside, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return read(path);
}

/** Creates the data directory. Root lets the database's user pass through it, not look into it. */
export function createDataDir(directory) {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
}

function read(path) {
  try {
    return readFileSync(path, "utf8").trim() || null;
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
