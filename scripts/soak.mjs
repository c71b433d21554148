import { runTests } from "./lib/run-tests.mjs";

/**
 * `npm run soak`: the long versions of what `npm test` runs scaled down: TIDEMARK_MODEL_RUNS is read by the
 * model-based tests, TIDEMARK_KILLS by those that kill processes, TIDEMARK_WAITING_POLLS by the one whose
 * polls wait for changes.
 */
process.exitCode = await runTests({
  env: {
    TIDEMARK_MODEL_RUNS: process.env.TIDEMARK_MODEL_RUNS ?? "1000",
    TIDEMARK_KILLS: process.env.TIDEMARK_KILLS ?? "25",
    TIDEMARK_WAITING_POLLS: process.env.TIDEMARK_WAITING_POLLS ?? "1000",
  },
  stages: ["unit", "process"],
});
