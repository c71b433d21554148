import { defineConfig } from "vitest/config";
import { filesSaying } from "./test/own-process.ts";
import { alias, notOurs } from "./vitest.config.ts";

const prompt = filesSaying(import.meta.dirname, notOurs, ".process.test.ts", /\bperformance\.now\b/);
const ofEachFile = {
  setupFiles: ["./test/setup.ts"],
  env: { TZ: "Asia/Kathmandu", NODE_ENV: "test" as const },
  testTimeout: 300_000,
  hookTimeout: 120_000,
};
const exclude = ["node_modules/**", ".next/**", ".data/**"];

/**
 * Tests that start real server processes on the production build, each file on a cluster of its own. They
 * mostly wait for one another's processes to start, so two files run at a time; those that measure how
 * promptly something happens run by themselves afterwards.
 */
export default defineConfig({
  test: {
    globalSetup: ["./test/build-first.mjs"],
    projects: [
      {
        resolve: { alias },
        test: {
          ...ofEachFile,
          name: "two at a time",
          include: ["**/*.process.test.ts"],
          exclude: [...exclude, ...prompt],
          maxWorkers: 2,
        },
      },
      {
        resolve: { alias },
        test: {
          ...ofEachFile,
          name: "alone",
          include: prompt,
          exclude,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
    ],
  },
});
