import { followChanges, TidemarkError } from "@tidemark/client";
import { MirrorStore } from "./mirror-store.ts";

/**
 * Mirrors a workspace into a SQLite file and keeps it equal until Ctrl-C:
 *
 *     TIDEMARK_URL=http://localhost:3000 TIDEMARK_TOKEN=tdm_… npx tsx mirror-to-sqlite.ts mirror.sqlite
 *
 * Kill it whenever you like: it goes on where the file says that it was. With `--once` it ends when it
 * has caught up. The token needs the scope `changes:read`.
 */
const { TIDEMARK_URL: url = "http://localhost:3000", TIDEMARK_TOKEN: token = "" } = process.env;
const [path = "mirror.sqlite"] = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());

const store = new MirrorStore(path);
try {
  await followChanges({
    url,
    token,
    store,
    apply: store.apply,
    signal: ending.signal,
    text: true,
    consumer: "sqlite-mirror",
    stopWhenCaughtUp: process.argv.includes("--once"),
    onStatus: (status) => {
      if (status.type === "applied") console.log(`${status.changes} changes`);
      if (status.type === "waiting") console.log("up to date");
      if (status.type === "restarting")
        console.log(`starting over (${status.reason}); the copy stays until then`);
      if (status.type === "retrying") {
        console.log(`${status.error.message} Trying again in ${Math.ceil(status.delayMs / 1000)} s.`);
      }
    },
  });
} catch (error) {
  if (!(error instanceof TidemarkError)) throw error;
  console.error(`${error.message} (${error.code}${error.requestId ? `, request ${error.requestId}` : ""})`);
  process.exitCode = 1;
} finally {
  store.close();
}
