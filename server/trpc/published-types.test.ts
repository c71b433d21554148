import { readFile } from "node:fs/promises";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { expect, expectTypeOf, it } from "vitest";
import type { AppRouter as Published } from "@/sdk/trpc/app-router";
import { type AppRouter, appRouter } from "./root";

/**
 * The package's copy of the router's type (sdk/trpc/app-router.ts). That both agree is for the compiler to
 * say: `npm run typecheck` fails here when one of them changed. `npm run router-types` writes it anew.
 */
it("takes the inputs and gives the outputs that the package says", () => {
  expectTypeOf<inferRouterInputs<AppRouter>>().toExtend<inferRouterInputs<Published>>();
  expectTypeOf<inferRouterInputs<Published>>().toExtend<inferRouterInputs<AppRouter>>();
  expectTypeOf<inferRouterOutputs<AppRouter>>().toExtend<inferRouterOutputs<Published>>();
  expectTypeOf<inferRouterOutputs<Published>>().toExtend<inferRouterOutputs<AppRouter>>();
});

it("has every procedure in the package's type, and the type names nothing of ours", async () => {
  const text = await readFile(new URL("../../sdk/trpc/app-router.ts", import.meta.url), "utf8");
  const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, from]) => from);
  expect(imports).toEqual(["@trpc/server", "./router-root.ts"]);
  for (const path of Object.keys(appRouter._def.procedures)) {
    const name = path.split(".").at(-1);
    expect(text).toMatch(new RegExp(`\\b${name}: TRPC(Query|Mutation|Subscription)Procedure<`));
  }
});
