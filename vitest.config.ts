import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import FileOrder from "./test/file-order.ts";
import { filesSaying, TOUCHES_PROCESS } from "./test/own-process.ts";

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

const exclude = ["node_modules/**", ".next/**", ".data/**", "e2e/**", "**/*.process.test.ts"];
/** Folders in the root without tests that vitest runs. */
export const notOurs = new Set(["node_modules", ".git", ".next", ".data", "e2e"]);
const ownProcess = filesSaying(import.meta.dirname, notOurs, ".test.ts", TOUCHES_PROCESS);
const shuffle = true;
const ofEachFile = {
  setupFiles: ["./test/setup.ts"],
  // A forgotten time zone fails here first: +05:45.
  env: { TZ: "Asia/Kathmandu", NODE_ENV: "test" as const },
  testTimeout: 30_000,
  hookTimeout: 60_000,
  sequence: { shuffle },
};

/**
 * Unit and integration tests. What needs the production build is in vitest.process.config.ts.
 *
 * Starting a process, loading the app in it and compiling it costs more than most files' tests. So files
 * share two processes, one after another in each, unless they do something to it (test/own-process.ts).
 */
export default defineConfig({
  test: {
    globalSetup: ["./test/global-setup.ts"],
    maxWorkers: 2,
    sequence: { shuffle, sequencer: FileOrder },
    projects: [
      {
        resolve: { alias },
        test: { ...ofEachFile, name: "own process", include: ownProcess, exclude },
      },
      {
        resolve: { alias },
        test: {
          ...ofEachFile,
          name: "shared process",
          include: ["**/*.test.ts"],
          exclude: [...exclude, ...ownProcess],
          isolate: false,
        },
      },
    ],
  },
});
