import { defineConfig } from "vitest/config";
import { alias } from "./vitest.config.ts";

/** Tests that start real server processes on the production build, each on a cluster of its own. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: ["**/*.process.test.ts"],
    exclude: ["node_modules/**", ".next/**", ".data/**"],
    setupFiles: ["./test/setup.ts"],
    env: { TZ: "Asia/Kathmandu", NODE_ENV: "test" },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
});
