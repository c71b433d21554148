import { CliError, HELP, type Io, UsageError } from "@/cli/io";

// stdout belongs to the answer alone (a script reads a token from it), and the log writes there.
// Set before anything that logs is loaded, hence the dynamic import below.
process.env.LOG_LEVEL = "silent";

/**
 * The command line of a running or stopped installation; scripts/cli.mjs finds its database and
 * secret and passes them in the environment.
 *
 * @returns The exit code: 0, 1 when it could not be done, 2 for a command that makes no sense.
 */
async function main(args: string[], io: Io): Promise<number> {
  if (args.length === 0 || args.includes("--help") || args.includes("-h") || args[0] === "help") {
    io.out(HELP);
    return 0;
  }
  try {
    const { runCommand } = await import("@/cli/commands");
    await runCommand(args, io);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`${error.message}\nSee: npm run cli -- --help`);
      return 2;
    }
    io.err(error instanceof CliError ? error.message : `Something went wrong: ${describeBug(error)}`);
    return 1;
  }
}

function describeBug(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.stack ?? error.message;
}

const io: Io = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
};
process.exitCode = await main(process.argv.slice(2), io);
