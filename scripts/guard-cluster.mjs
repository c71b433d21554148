import { rmSync } from "node:fs";
import { join } from "node:path";
import { findPostmaster, stopPostmaster } from "./lib/postgres.mjs";

/**
 * Outlives a test run to clean up after it: waits for the end of its stdin, which comes when the process
 * that holds the other end stops or dies in whatever way, then ends the cluster below the directory named
 * by its argument and removes the directory.
 */
const directory = process.argv[2];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

process.stdin.resume();
process.stdin.once("close", async () => {
  // Twice: a cluster that was just being started writes its pid file a moment later.
  for (let round = 0; round < 2; round++) {
    const postmaster = findPostmaster(join(directory, "data"));
    if (postmaster) await stopPostmaster(postmaster.pid, "immediate");
    if (round === 0) await new Promise((resolve) => setTimeout(resolve, 500));
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
});
