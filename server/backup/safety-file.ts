import { join, resolve } from "node:path";
import { env } from "@/server/env";

/**
 * Where a backup goes that nobody asked for: made before a migration or a restore changes the store.
 *
 * @param occasion for the name: `before-restore`.
 */
export function safetyFile(occasion: string, now = new Date()): string {
  const at = now.toISOString().replaceAll(":", "");
  return join(resolve(env().TIDEMARK_DATA_DIR), "backups", `${occasion}-${at}.backup`);
}
