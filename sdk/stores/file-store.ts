import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { PositionStore } from "../follow/options.ts";

/**
 * Keeps the position in a file of its own, for a copy that is not in a database. The position is written
 * after the changes were applied, so after a crash in between the last batch comes again.
 *
 * A crash at any moment, a power cut included, leaves the old position or the new one, never half of one.
 *
 * @param path In a folder that exists. `<path>.tmp` beside it is used while writing. One follower per file.
 */
export function createFileStore(path: string): Required<PositionStore> {
  return {
    async load() {
      try {
        return (await readFile(path, "utf8")).trimEnd();
      } catch (error) {
        if (isErrorWithCode(error, "ENOENT")) return null;
        throw error;
      }
    },

    async save(position) {
      const temporary = `${path}.tmp`;
      const file = await open(temporary, "w");
      try {
        await file.writeFile(`${position}\n`);
        // Before the rename: some file systems write the new name to the disk before the new content.
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
  };
}

/** Makes the rename itself last. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and needs none of this.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems cannot; then a power cut may bring back the old position, which is safe.
    if (!isErrorWithCode(error, "EINVAL") && !isErrorWithCode(error, "ENOTSUP")) throw error;
  } finally {
    await folder.close();
  }
}

function isErrorWithCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
