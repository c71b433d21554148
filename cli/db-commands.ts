import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Flags } from "@/cli/flags";
import { CliError, type Io } from "@/cli/io";
import { ensureSetupCode } from "@/server/access/setup";
import type { ArchiveHeader } from "@/server/backup/archive-format";
import { backUpStore } from "@/server/backup/back-up-store";
import { countUnreadableCredentials } from "@/server/backup/count-unreadable";
import { type Restored, restoreStore } from "@/server/backup/restore-store";
import { safetyFile } from "@/server/backup/safety-file";
import type { Db } from "@/server/db";
import { env } from "@/server/env";

/** The file's path on stdout. */
export async function backUpCommand(_db: Db, flags: Flags, io: Io): Promise<void> {
  const { file, bytes, header } = await backUpStore(databaseUrl(), pathOf(flags));
  io.err(
    `Backed up ${contentOf(header)}: ${(bytes / 1e6).toFixed(1)} MB. TIDEMARK_SECRET is not in it; keep that too.`,
  );
  io.out(file);
}

export async function restoreCommand(db: Db, flags: Flags, io: Io): Promise<void> {
  const restored = await restoreStore(databaseUrl(), pathOf(flags), {
    safetyFile: safetyFile("before-restore"),
    // A script has nobody to ask. It loses nothing either: what is there now is backed up first.
    confirm: flags.has("replace") || !process.stdin.isTTY ? undefined : ask,
  });
  if (!restored) throw new CliError("Nothing was changed.");
  io.err(report(restored));
  const { total, unreadable } = await countUnreadableCredentials(db);
  if (unreadable > 0) {
    io.err(
      `${unreadable} of ${total} stored upstream credentials were sealed under another TIDEMARK_SECRET and cannot be ` +
        "opened: their sources need reconnecting. Or start with the secret of that time in TIDEMARK_SECRET_PREVIOUS " +
        "and run: npm run cli -- credentials reseal",
    );
  }
  const code = await ensureSetupCode(db);
  if (code) io.err(`It has no owner yet. From another machine, setting it up needs this code: ${code}`);
}

function report({ header, safety, migrated, cancelledRuns }: Restored): string {
  const lines = [`Restored ${contentOf(header)}, as of ${header.createdAt}.`];
  if (safety) lines.push(`What was there before is in ${safety.file}; restore that to undo this.`);
  if (migrated.length > 0) lines.push(`Brought it to this version: ${migrated.join(", ")}.`);
  if (cancelledRuns > 0)
    lines.push(`Syncs that were under way in the backup are cancelled: ${cancelledRuns}.`);
  lines.push(
    "Every cursor of the change feed has expired: followers start again by themselves. Everybody has to sign in again.",
  );
  return lines.join("\n");
}

function contentOf({ tables }: ArchiveHeader): string {
  const count = (name: string) =>
    (tables.find((table) => table.name === name)?.rows ?? 0).toLocaleString("en-US");
  return `${count("documents")} documents in ${count("feeds")} feeds`;
}

async function ask(header: ArchiveHeader): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(
      `This store is not empty. It will be backed up, and then replaced by ${contentOf(header)}, as of ${header.createdAt}.\n` +
        "Type yes to go on: ",
    );
    return answer.trim().toLowerCase() === "yes";
  } finally {
    prompt.close();
  }
}

/** Where a pooler is in between, the server itself: a long transaction does not suit a pool. */
function databaseUrl(): string {
  return env().DATABASE_DIRECT_URL ?? env().DATABASE_URL;
}

/** Relative to where the person is, not to where the scripts run. */
function pathOf(flags: Flags): string {
  return resolve(process.env.TIDEMARK_CALLER_DIRECTORY ?? process.cwd(), flags.required("FILE"));
}
