import { expect, it } from "vitest";
import { explainViolation } from "./import-rules.mjs";

const explain = (from: string, to: string, options: { typeOnly?: boolean; client?: boolean } = {}) =>
  explainViolation({ from, to, typeOnly: false, client: false, ...options });

it("lets imports go down the layers", () => {
  expect(explain("app/page.tsx", "server/runs/list-runs")).toBeNull();
  expect(explain("server/runs/execute-run.ts", "adapters/registry")).toBeNull();
  expect(explain("adapters/rss/index.ts", "sdk/adapter")).toBeNull();
  expect(explain("cli/main.ts", "server/access/tokens")).toBeNull();
  expect(explain("server/db.ts", "server/generated/prisma/client")).toBeNull();
});

it.each([
  ["adapters/rss/index.ts", "server/db", /move what both need into sdk/],
  ["server/runs/list-runs.ts", "app/runs/run-table", /down into server/],
  ["sdk/adapter.ts", "adapters/http", /imports nothing of ours/],
  ["components/button.tsx", "server/runs/schema", /beside the route/],
  ["app/page.tsx", "cli/main", /served to people/],
  ["server/db-size.ts", "server/generated/prisma/client", /Only server\/db.ts/],
  ["server/runs/list-runs.ts", "test/factories", /for tests alone/],
  ["server/runs/list-runs.ts", "server/runs/helpers.test", /nobody's library/],
])("refuses %s importing %s and says where the code should go", (from, to, message) => {
  expect(explain(from, to)).toMatch(message);
});

it("lets browser code have types and schemas of server/, and nothing that runs", () => {
  expect(explain("app/runs/table.tsx", "server/runs/list-runs", { client: true })).toMatch(
    /sent to browsers/,
  );
  expect(explain("app/runs/table.tsx", "server/runs/list-runs", { client: true, typeOnly: true })).toBeNull();
  expect(explain("app/runs/table.tsx", "server/runs/schema", { client: true })).toBeNull();
  expect(explain("trpc/client.tsx", "server/trpc/root")).toMatch(/only server.ts/);
  expect(explain("trpc/client.tsx", "server/trpc/root", { typeOnly: true })).toBeNull();
});
