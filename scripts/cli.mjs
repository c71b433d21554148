import { runOnDatabase } from "./lib/run-on-database.mjs";

/** `npm run cli -- …` runs cli/main.ts on this install's database. */
try {
  process.exitCode = await runOnDatabase("cli/main.ts", process.argv.slice(2), "npm run cli");
} catch (error) {
  console.error(error.name === "Problem" ? error.message : error.stack);
  process.exitCode = 1;
}
