import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { bin, ensureBuild, ensurePackages, ensurePrismaClient } from "./install.mjs";
import { onParentGone } from "./parent.mjs";
import { root } from "./project.mjs";
import { attempt, seconds, stopCommands } from "./steps.mjs";
import { countChecks, countPlaywright, countVitest } from "./test-reports.mjs";

/**
 * `npm test`: everything that must hold, from a fresh checkout on. A failing stage does not keep the
 * others from being tried, except that nothing runs without packages and browser tests need a build.
 *
 * @param options.env Environment of the tests.
 * @param options.stages Names of the stages to run; all by default.
 * @returns the exit code. The last line printed is `N passed, N failed`.
 */
export async function runTests({ env = {}, stages = ["checks", "unit", "process", "e2e"] } = {}) {
  const total = { passed: 0, failed: 0, skipped: 0, failures: [] };
  endCommandsWithUs();
  const reports = mkdtempSync(join(tmpdir(), "tidemark-reports-"));
  try {
    await runStages(stages, env, reports, total);
  } catch (error) {
    total.failed += 1;
    total.failures.push(error.name === "Problem" ? error.message : error.stack);
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  if (total.failures.length > 0) {
    process.stdout.write(`\nFailed:\n${total.failures.map((line) => `  ✗ ${line}`).join("\n")}\n`);
  }
  if (total.skipped > 0) process.stdout.write(`\n${total.skipped} skipped.\n`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

/** The stages are processes of their own, which would go on without us. */
function endCommandsWithUs() {
  const end = () => {
    stopCommands();
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  onParentGone(end);
}

async function runStages(stages, env, reports, total) {
  await ensurePackages();
  await ensurePrismaClient();

  const add = (counts) => {
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped ?? 0;
    total.failures.push(...counts.failures);
  };
  const stage = async (name, work) => {
    if (!stages.includes(name)) return;
    try {
      add(await work());
    } catch (error) {
      add({
        passed: 0,
        failed: 1,
        failures: [`${name}: ${error.name === "Problem" ? error.message : error.stack}`],
      });
    }
  };

  await stage("checks", async () => {
    mkdirSync(join(root, ".next"), { recursive: true });
    const inSteps = async (steps) => {
      const results = [];
      for (const [name, title, command, args] of steps) {
        results.push({ name, ...(await show(title, command, args, env, { live: false })) });
      }
      return results;
    };
    // The compiler needs one core for most of the time: the quick ones have the other.
    const results = await Promise.all([
      inSteps([
        ["lint", "Lint", bin("biome"), ["check", "."]],
        ["imports", "Imports", process.execPath, ["scripts/check-imports.mjs"]],
      ]),
      inSteps([
        // Next writes the types of its routes here; they are part of what is checked.
        ["route types", "Route types", bin("next"), ["typegen"]],
        ["types", "Types", bin("tsc"), ["--noEmit"]],
      ]),
    ]);
    return countChecks(results.flat());
  });
  await stage("unit", () => vitest("Unit and integration tests", "vitest.config.ts", env, reports));

  if (!stages.includes("process") && !stages.includes("e2e")) return;
  try {
    await ensureBuild();
    add({ passed: 1, failed: 0, failures: [] });
  } catch (error) {
    add({ passed: 0, failed: 1, failures: [`build: ${error.message}`] });
    return;
  }
  await stage("process", () => vitest("Tests of whole processes", "vitest.process.config.ts", env, reports));
  await stage("e2e", async () => {
    const browserEnv = { ...env, TIDEMARK_BROWSER: await ensureBrowser() };
    const file = join(reports, "playwright.json");
    const { code } = await show("Tests in a browser", bin("playwright"), ["test", "--reporter=list,json"], {
      ...browserEnv,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    });
    return countPlaywright(readReport(file), code);
  });
}

async function vitest(title, config, env, reports) {
  const file = join(reports, `${config}.json`);
  const args = [
    "run",
    "--config",
    config,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const { code } = await show(title, bin("vitest"), args, env);
  return countVitest(readReport(file), code, title);
}

/**
 * Runs a stage and shows its output.
 *
 * @param options.live While it comes; else whole when the stage is over, for what runs beside something else.
 */
async function show(title, command, args, env, { live = true } = {}) {
  const began = Date.now();
  const heading = `\n── ${title}\n`;
  if (live) process.stdout.write(heading);
  const result = await attempt(command, args, { env: { FORCE_COLOR: "0", ...env }, live });
  const end = `── ${title}: ${result.code === 0 ? "passed" : "FAILED"} (${seconds(began)})\n`;
  process.stdout.write(live ? end : heading + result.output + end);
  return result;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
