/** Counts of passed and failed tests from what the tools report. Pure: report in, numbers out. */

/** Lint, types and the like: each is one test. */
export function countChecks(results) {
  const failed = results.filter((result) => result.code !== 0);
  return {
    passed: results.length - failed.length,
    failed: failed.length,
    failures: failed.map((result) => `${result.name} (see above)`),
  };
}

/** @param report vitest's JSON report, or null when it wrote none. */
export function countVitest(report, code, title) {
  if (!report) return crashed(title);
  const tests = report.testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({ ...test, file: file.name })),
  );
  const failures = tests
    .filter((test) => test.status === "failed")
    .map((test) => `${test.file}: ${test.fullName}`);
  // A file that does not load, or whose beforeAll fails, has no failed test of its own.
  for (const file of report.testResults) {
    const isCounted = file.assertionResults.some((test) => test.status === "failed");
    if (file.status === "failed" && !isCounted) failures.push(`${file.name}: ${firstLine(file.message)}`);
  }
  // An unhandled rejection fails a run in which every test passed.
  if (code !== 0 && failures.length === 0) failures.push(`${title}: errors outside of tests (see above)`);
  return {
    passed: tests.filter((test) => test.status === "passed").length,
    failed: failures.length,
    skipped: tests.filter((test) => ["pending", "skipped", "todo", "disabled"].includes(test.status)).length,
    failures,
  };
}

/** @param report Playwright's JSON report, or null when it wrote none. */
export function countPlaywright(report, code) {
  if (!report) return crashed("Tests in a browser");
  const failures = report.suites.flatMap((suite) => failedSpecs(suite, []));
  failures.push(...report.errors.map((error) => `e2e: ${firstLine(error.message)}`));
  if (code !== 0 && failures.length === 0)
    failures.push("Tests in a browser: errors outside of tests (see above)");
  const { expected = 0, flaky = 0, skipped = 0 } = report.stats ?? {};
  return { passed: expected + flaky, failed: failures.length, skipped, failures };
}

function failedSpecs(suite, path) {
  const names = suite.title ? [...path, suite.title] : path;
  const own = (suite.specs ?? [])
    .filter((spec) => !spec.ok)
    .map((spec) => [...names, spec.title].join(" › "));
  return [...own, ...(suite.suites ?? []).flatMap((child) => failedSpecs(child, names))];
}

function crashed(title) {
  return { passed: 0, failed: 1, skipped: 0, failures: [`${title}: ended without a report (see above)`] };
}

function firstLine(message) {
  return String(message ?? "failed")
    .trim()
    .split("\n")[0];
}
