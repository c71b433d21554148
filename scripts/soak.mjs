import { runTests } from "./lib/run-tests.mjs";

/**
 * `npm run soak`: the long versions of what `npm test` runs scaled down. TIDEMARK_SOAK is read by the
 * model-based tests, TIDEMARK_KILLS by those that kill processes.
 */
process.exitCode = await runTests({
  env: { TIDEMARK_SOAK: "1", TIDEMARK_KILLS: process.env.TIDEMARK_KILLS ?? "25" },
  stages: ["unit", "process"],
});
