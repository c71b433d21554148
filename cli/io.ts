/** Where a command writes: its answer to `out`, everything for people to `err`. */
export type Io = { out(text: string): unknown; err(text: string): unknown };

/** The command makes no sense: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** It could not be done, and the message says why: exit code 1. */
export class CliError extends Error {
  override readonly name = "CliError";
}

export const HELP = `Tidemark on the command line. Works while the server runs.

  npm run cli -- COMMAND [options]

User accounts
  user create --email E --password P --role viewer|member|admin|owner [--name N] [--workspace ID]
      Adds a person. The first one must be an owner; their workspace is created with them.
  user reset-password --email E [--password P]
      Sets a new password (prints a generated one) and signs the person out everywhere.
  user list

API tokens
  token create --name N --scopes all|a,b [--expires-days D] [--workspace ID]
      Prints the token, alone, on stdout. It is shown this once.
      Scopes: sources:read sources:write documents:read documents:write runs:read runs:write
              changes:read search:read admin
  token list [--workspace ID]
  token revoke ID [--workspace ID]

Credentials
  credentials reseal
      After changing TIDEMARK_SECRET with the former one in TIDEMARK_SECRET_PREVIOUS: seals every
      stored credential under the new one.

The store
  db backup FILE
      Writes everything into one file, as of one moment, while servers go on. TIDEMARK_SECRET is not in
      it: keep that apart, or stored upstream credentials cannot be opened after a restore.
  db restore FILE [--replace]
      Puts a backup in place of the store. What is there now is backed up first. Asks before it replaces
      anything, unless --replace is given or nobody is there to ask. Every cursor of the change feed
      expires, everybody is signed out.

Exit codes: 0 done, 1 could not be done, 2 the command makes no sense.`;
