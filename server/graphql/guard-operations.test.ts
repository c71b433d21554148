import { GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
import { beforeAll, expect, it, vi } from "vitest";
import { enforceRateLimit } from "@/server/access/rate-limit";
import { AppError } from "@/server/errors";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { GraphqlClient, useGraphqlServer } from "@/test/graphql-client";
import { guardOperations } from "./guard-operations";

vi.mock("@/server/access/rate-limit", { spy: true });

const t = useDatabase();
const server = useGraphqlServer(t);
let api: GraphqlClient;

beforeAll(async () => {
  api = await GraphqlClient.create(server.url, t.db, await createCaller(t.db));
});

it("serves no schema with an operation that names no scope", () => {
  const withScope = (scope?: string) =>
    new GraphQLSchema({
      query: new GraphQLObjectType({
        name: "Query",
        fields: { open: { type: GraphQLString, extensions: { scope } } },
      }),
    });
  expect(() => guardOperations(withScope())).toThrow("query open names no scope");
  expect(() => guardOperations(withScope("everything"))).toThrow("query open names no scope");
  expect(guardOperations(withScope("sources:read"))).toEqual([
    { kind: "query", name: "open", scope: "sources:read" },
  ]);
});

it("counts every call against the rate limit, ten in one request as ten", async () => {
  const ten = `{ ${Array.from({ length: 10 }, (_, i) => `a${i}: sources { nextAfter }`).join(" ")} }`;
  vi.mocked(enforceRateLimit).mockClear();
  expect((await api.ask(ten)).errors).toEqual([]);
  expect(enforceRateLimit).toHaveBeenCalledTimes(10);
  const answer = await api.ask("{ __typename }");
  expect(enforceRateLimit).toHaveBeenCalledTimes(11);
  expect(Number(answer.headers.get("ratelimit-remaining"))).toBeGreaterThan(0);
});

it("leaves out what there are no permits for, and says when there will be", async () => {
  const refused = new AppError("rate_limited", "Too many requests.", { retryAfterSeconds: 2.5 });
  vi.mocked(enforceRateLimit).mockReturnValueOnce(undefined).mockReturnValueOnce(undefined);
  vi.mocked(enforceRateLimit).mockImplementationOnce(() => {
    throw refused;
  });
  const some = await api.ask(
    "{ a: sources { nextAfter } b: sources { nextAfter } c: sources { nextAfter } }",
  );
  expect(some).toMatchObject({
    status: 200,
    data: { a: {}, b: {}, c: null },
    errors: [{ path: ["c"], extensions: { code: "rate_limited", retryAfterSeconds: 2.5 } }],
  });
  vi.mocked(enforceRateLimit).mockImplementationOnce(() => {
    throw refused;
  });
  const none = await api.ask("{ sources { nextAfter } }");
  expect(none).toMatchObject({
    status: 429,
    data: undefined,
    errors: [{ extensions: { code: "rate_limited" } }],
  });
  expect(none.headers.get("retry-after")).toBe("3");
});
