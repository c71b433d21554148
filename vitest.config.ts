import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export const alias = {
  // The package as its examples import it, without building it. The longer names first: it is a prefix.
  "@tidemark/client/node": fileURLToPath(new URL("./sdk/node.ts", import.meta.url)),
  "@tidemark/client/adapter": fileURLToPath(new URL("./sdk/adapter-kit.ts", import.meta.url)),
  "@tidemark/client/testing": fileURLToPath(new URL("./sdk/adapter-checks.ts", import.meta.url)),
  "@tidemark/client/trpc": fileURLToPath(new URL("./sdk/trpc/index.ts", import.meta.url)),
  "@tidemark/client": fileURLToPath(new URL("./sdk/index.ts", import.meta.url)),
  // As Node resolves it for the packages that use it: two copies of it do not know each other's types.
  graphql: fileURLToPath(new URL("./node_modules/graphql/index.js", import.meta.url)),
  "@": fileURLToPath(new URL("./", import.meta.url)).replace(/\/$/, ""),
  "server-only": fileURLToPath(new URL("./test/empty-module.ts", import.meta.url)),
};

/** Unit and integration tests. What needs the production build is in vitest.process.config.ts. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: ["**/*.test.ts"],
    exclude: ["node_modules/**", ".next/**", ".data/**", "e2e/**", "**/*.process.test.ts"],
    globalSetup: ["./test/global-setup.ts"],
    setupFiles: ["./test/setup.ts"],
    // A forgotten time zone fails here first: +05:45.
    env: { TZ: "Asia/Kathmandu", NODE_ENV: "test" },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { shuffle: true },
  },
});
