import { backUpCommand, restoreCommand } from "@/cli/db-commands";
import { type FlagSpec, type Flags, parseFlags } from "@/cli/flags";
import { CliError, type Io, UsageError } from "@/cli/io";
import { createTokenCommand, listTokensCommand, revokeTokenCommand } from "@/cli/token-commands";
import { createUserCommand, listUsersCommand, resetPasswordCommand } from "@/cli/user-commands";
import { BackupError } from "@/server/backup/backup-error";
import { createDb, type Db } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { hubFor } from "@/server/live/hub";
import { asUnavailable } from "@/server/transaction";
import { resealCredentials } from "@/server/vault/reseal-credentials";

/** What one command needs. */
type Command = FlagSpec & { run(db: Db, flags: Flags, io: Io): Promise<void> };

const COMMANDS: Record<string, Command> = {
  "user create": { flags: ["email", "password", "role", "name?", "workspace?"], run: createUserCommand },
  "user reset-password": { flags: ["email", "password?"], run: resetPasswordCommand },
  "user list": { flags: [], run: listUsersCommand },
  "token create": { flags: ["name", "scopes", "expires-days?", "workspace?"], run: createTokenCommand },
  "token list": { flags: ["workspace?"], run: listTokensCommand },
  "token revoke": { flags: ["workspace?"], argument: "ID", run: revokeTokenCommand },
  "db backup": { flags: [], argument: "FILE", run: backUpCommand },
  "db restore": { flags: [], switches: ["replace"], argument: "FILE", run: restoreCommand },
  "credentials reseal": {
    flags: [],
    async run(db, _flags, io) {
      const { resealed, unreadable } = await resealCredentials(db);
      io.err(`Sealed ${resealed} under the current secret; ${unreadable} cannot be opened.`);
      if (unreadable > 0)
        throw new CliError("Those need reconnecting, or the secret they were sealed under.");
    },
  },
};

/**
 * @throws UsageError when there is no such command or its flags are wrong, before anything is touched.
 * @throws CliError when it could not be done.
 */
export async function runCommand(args: string[], io: Io): Promise<void> {
  const name = args.slice(0, 2).join(" ");
  const command = COMMANDS[name];
  if (!command) {
    const noun = args[0] ?? "";
    const verbs = Object.keys(COMMANDS).filter((known) => known.startsWith(`${noun} `));
    throw new UsageError(
      verbs.length > 0
        ? `Unknown command "${name}". There is: ${verbs.join(", ")}.`
        : `Unknown command "${noun}".`,
    );
  }
  const flags = parseFlags(args.slice(2), command);
  const db = createDb(readDatabaseUrl(), 2);
  try {
    await command.run(db, flags, io);
  } catch (error) {
    // A value that makes no sense is the caller's mistake like a flag that does not exist.
    if (error instanceof AppError && error.code === "invalid_request") throw new UsageError(error.message);
    if (error instanceof AppError || error instanceof BackupError) throw new CliError(error.message);
    if (asUnavailable(error)) throw new CliError("The database cannot be reached. Is DATABASE_URL right?");
    throw error;
  } finally {
    // Pages that are open somewhere hear of it now rather than never.
    await hubFor(db).close();
    await db.$disconnect();
  }
}

function readDatabaseUrl(): string {
  try {
    return env().DATABASE_URL;
  } catch (error) {
    throw new CliError((error as Error).message);
  }
}
