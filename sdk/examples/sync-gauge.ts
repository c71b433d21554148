import { runSync, TidemarkError } from "@tidemark/client/adapter";
import { createFileStore } from "@tidemark/client/node";
import { gauge } from "./gauge-adapter.ts";

/**
 * Brings a feed up to date once, with an adapter of one's own; run it from cron:
 *
 *     TIDEMARK_URL=http://localhost:3000 TIDEMARK_TOKEN=tdm_… npx tsx sync-gauge.ts feed_…
 *
 * The feed's `externalKey` is the gauge's address. Kill it whenever you like: the next one goes on from the
 * last page that arrived. The token needs `sources:read`, `documents:write` and `runs:write`.
 */
const { TIDEMARK_URL: url = "http://localhost:3000", TIDEMARK_TOKEN: token = "" } = process.env;
const [feed = "", statePath = "gauge-state.json"] = process.argv.slice(2);
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());

try {
  const summary = await runSync({
    adapter: gauge,
    feed,
    client: { url, token },
    state: createFileStore(statePath),
    signal: ending.signal,
    log: { warn: (_, message) => console.warn(message) },
    onStatus: (status) => {
      if (status.type === "page") console.log(`${status.documents} readings, now at ${status.cursor}`);
    },
  });
  console.log(`${summary.status}: ${summary.created} new, ${summary.updated} changed`);
} catch (error) {
  if (ending.signal.aborted) process.exitCode = 130;
  else if (error instanceof TidemarkError && error.code === "run_active") {
    // Another one is at it, or one that died is believed alive until its lease ends, a minute at most.
    console.error("A sync of this feed is in progress; try again in a minute.");
    process.exitCode = 75;
  } else throw error;
}
