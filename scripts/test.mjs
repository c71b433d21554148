import { runTests } from "./lib/run-tests.mjs";

// `npm test -- unit e2e` runs some of the stages.
const stages = process.argv.slice(2);
process.exitCode = await runTests(stages.length > 0 ? { stages } : {});
