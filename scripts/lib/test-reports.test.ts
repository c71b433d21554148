import { expect, it } from "vitest";
import { countChecks, countPlaywright, countVitest } from "./test-reports.mjs";

const passed = { status: "passed", fullName: "holds" };
const broken = { status: "failed", fullName: "breaks" };

it("counts lint, types and the like as one test each", () => {
  const counts = countChecks([
    { name: "lint", code: 0 },
    { name: "types", code: 2 },
  ]);
  expect(counts).toMatchObject({ passed: 1, failed: 1, failures: ["types (see above)"] });
});

it("counts passed, failed and skipped tests of vitest", () => {
  const skipped = { status: "skipped", fullName: "waits" };
  const file = { name: "a.test.ts", status: "failed", assertionResults: [passed, broken, skipped] };
  expect(countVitest({ testResults: [file] }, 1, "Unit")).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: ["a.test.ts: breaks"],
  });
});

it("counts a file that does not load, although it has no failed test", () => {
  const file = {
    name: "a.test.ts",
    status: "failed",
    message: "SyntaxError: odd\n  at x",
    assertionResults: [],
  };
  expect(countVitest({ testResults: [file] }, 1, "Unit")).toMatchObject({
    failed: 1,
    failures: ["a.test.ts: SyntaxError: odd"],
  });
});

it("counts a run that failed outside of its tests, and one that wrote no report", () => {
  const file = { name: "a.test.ts", status: "passed", assertionResults: [passed] };
  expect(countVitest({ testResults: [file] }, 1, "Unit")).toMatchObject({ passed: 1, failed: 1 });
  expect(countVitest(null, 1, "Unit")).toMatchObject({ passed: 0, failed: 1 });
  expect(countPlaywright(null, 1)).toMatchObject({ passed: 0, failed: 1 });
});

it("counts browser tests and names the failed ones by their whole path", () => {
  const report = {
    stats: { expected: 3, flaky: 0, unexpected: 1, skipped: 1 },
    errors: [],
    suites: [
      {
        title: "tour.spec.ts",
        specs: [{ title: "opens", ok: true }],
        suites: [{ title: "First visit", specs: [{ title: "signs in", ok: false }] }],
      },
    ],
  };
  expect(countPlaywright(report, 1)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 1,
    failures: ["tour.spec.ts › First visit › signs in"],
  });
});
