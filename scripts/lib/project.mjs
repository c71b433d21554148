import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout; every script works from here, wherever it was called. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Where the embedded database and the generated secrets live. */
export function dataDir() {
  return resolve(root, process.env.TIDEMARK_DATA_DIR || ".data");
}

/** Reads `.env` into process.env; what is set already wins. */
export function loadEnvFile() {
  const file = join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/** A failure with a message for people: printed without a stack. */
export class Problem extends Error {
  name = "Problem";
}
