import { getIntrospectionQuery } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { GraphqlClient, useGraphqlServer } from "@/test/graphql-client";
import { MAX_TOKENS } from "./limits";

const t = useDatabase();
const server = useGraphqlServer(t);
let api: GraphqlClient;

beforeAll(async () => {
  const caller = await createCaller(t.db);
  api = await GraphqlClient.create(server.url, t.db, caller);
  await createFeed(t.db, caller, {});
  await api.ask("{ __typename }"); // the first query pays for building the schema
});

function repeat(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(" ");
}

/** `{ a { a { … a } } }`, `levels` fields deep. */
function nested(field: string, levels: number): string {
  return `{ ${`${field} { `.repeat(levels - 1)}${field}${" }".repeat(levels - 1)} }`;
}

/** Each fragment spreads the next one twice. */
function bomb(fragments: number, leaf: string): string {
  const chain = repeat(
    fragments,
    (i) => `fragment f${i} on SourcePage { ${i + 1 < fragments ? `...f${i + 1} ...f${i + 1}` : leaf} }`,
  );
  return `{ sources { ...f0 } } ${chain}`;
}

const hostile: Record<string, string> = {
  "ten levels of fields": nested("items", 10),
  "ten levels with known fields around": `{ sources { items { ${"items { ".repeat(7)} id ${"} ".repeat(7)} } } }`,
  "a thousand levels": nested("items", 1000),
  "lists a thousand deep": `{ sources(limit: ${"[".repeat(1000)}${"]".repeat(1000)}) { nextAfter } }`,
  "10,000 aliases": `{ ${repeat(10_000, (i) => `a${i}: sources { nextAfter }`)} }`,
  "10,000 aliases of a cheap field": `{ sources { items { ${repeat(10_000, (i) => `a${i}: id`)} } } }`,
  "600 aliases": `{ sources { ${repeat(600, (i) => `a${i}: nextAfter`)} } }`,
  "eleven calls": `{ ${repeat(11, (i) => `a${i}: sources { nextAfter }`)} }`,
  "eleven calls by way of a fragment": `{ ...f } fragment f on Query { ${repeat(11, (i) => `a${i}: sources { nextAfter }`)} }`,
  "the same field 3,000 times": `{ sources { ${"nextAfter ".repeat(3000)} } }`,
  "a fragment that contains itself": "{ sources { ...a } } fragment a on SourcePage { nextAfter ...a }",
  "fragments in a circle":
    "{ sources { ...a } } fragment a on SourcePage { ...b } fragment b on SourcePage { ...a }",
  "a fragment bomb": bomb(200, "nextAfter"),
  "a fragment bomb without a field in it": bomb(200, "...nobody"),
  "a fragment bomb at the root": bomb(60, "nextAfter")
    .replace("sources { ...f0 }", "...f0")
    .replaceAll("SourcePage", "Query"),
  "200 directives": `{ sources ${"@include(if: true) ".repeat(200)} { nextAfter } }`,
  "unknown directives": `{ sources ${"@x".repeat(3000)} { nextAfter } }`,
  "pages of many entries many times": `{ ${repeat(8, (i) => `a${i}: changes(limit: 1000) { changes { seq op feedId version changedAt externalId documentId } }`)} }`,
  "introspection in a circle": `{ __schema { types { ${"fields { type { ".repeat(8)} name ${"} } ".repeat(8)} } } }`,
  "a million words": `{ ${"a ".repeat(1_000_000)} }`,
  "a million open brackets": "{".repeat(1_000_000),
};

describe("refuses, before validation", () => {
  it.each(Object.entries(hostile))("%s", async (_, query) => {
    const before = process.cpuUsage();
    const answer = await api.ask(query);
    const { user, system } = process.cpuUsage(before);
    expect(answer).toMatchObject({
      status: 422,
      data: undefined,
      errors: [{ message: expect.stringContaining("The query "), extensions: { code: "query_too_complex" } }],
    });
    expect(answer.errors).toHaveLength(1);
    // Of this process, client and all, in microseconds; measured 3 to 20 ms. Validating some of these takes seconds.
    expect(user + system).toBeLessThan(500_000);
  });

  it("counts the page that a variable asks for", async () => {
    const query = `query($n: Int) { ${repeat(8, (i) => `a${i}: changes(limit: $n) { changes { seq op feedId version changedAt externalId documentId } }`)} }`;
    expect((await api.ask(query, { n: 1000 })).errors[0].extensions.code).toBe("query_too_complex");
    expect((await api.ask(query, { n: 10 })).errors).toEqual([]);
  });
});

describe("takes", () => {
  it("what tools ask about the schema", async () => {
    const answer = await api.ask(
      getIntrospectionQuery({ descriptions: true, specifiedByUrl: true, inputValueDeprecation: true }),
    );
    expect(answer).toMatchObject({ status: 200, errors: [] });
    expect(answer.data.__schema.types.length).toBeGreaterThan(30);
  });

  it("a full page of everything", async () => {
    const answer = await api.ask(`{
      changes(limit: 1000, text: true) { cursor hasMore changes { seq op sourceId feedId documentId externalId version changedAt
        document { title url author date metadata text } } }
      feeds(limit: 200) { nextAfter items { id sourceId externalKey name displayName watermark cursor documentCount status intervalSeconds
        lastAttemptAt lastSuccessAt lastNewDocumentAt failingSince nextSyncAt config createdAt updatedAt
        activeRunId heldDeletes rejections error { origin code message detail retryable at } } } }`);
    expect(answer).toMatchObject({ status: 200, errors: [] });
    expect(answer.data.feeds.items).toHaveLength(1);
  });

  it("a query of as many words as may be, counted without the parser", async () => {
    const words = `{ ${"a ".repeat(MAX_TOKENS)} }`;
    const { errors } = await api.ask(words);
    expect(errors[0].message).toContain("words and marks");
  });
});
