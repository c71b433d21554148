import { runOnDatabase } from "./lib/run-on-database.mjs";

/** `npm run seed:large` fills a workspace of its own with 2,000 feeds, 500,000 documents, 200,000 runs. */
try {
  process.exitCode = await runOnDatabase(
    "scripts/seed-large.ts",
    process.argv.slice(2),
    "npm run seed:large",
  );
} catch (error) {
  console.error(error.name === "Problem" ? error.message : error.stack);
  process.exitCode = 1;
}
