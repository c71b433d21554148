import { describe, expect, it } from "vitest";
import { z } from "zod";
import { adapters } from "@/adapters/registry";
import { emptyDraft, readFields, toConfig } from "@/app/(dashboard)/_lib/config-schema";

const schema = z.object({
  baseUrl: z.string().max(300).describe("Where it answers."),
  notes: z.string().max(4000).optional(),
  pages: z.int().min(0).max(1000).default(50),
  weight: z.number().optional(),
  isPublic: z.boolean().default(true),
  order: z.enum(["newest", "oldest"]).default("newest"),
  level: z.union([z.literal(1), z.literal(2)]).optional(),
  tags: z.array(z.string()).optional(),
  kinds: z.array(z.enum(["post", "note"])).default(["post"]),
  since: z.string().nullish(),
  extra: z.record(z.string(), z.unknown()).optional(),
});
const fields = readFields(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));

describe("a form for an adapter's config", () => {
  it("has a fitting control for every kind of property", () => {
    expect(Object.fromEntries(fields.map((field) => [field.name, field.kind]))).toEqual({
      baseUrl: "text",
      notes: "text",
      pages: "number",
      weight: "number",
      isPublic: "boolean",
      order: "choice",
      level: "choice",
      tags: "list",
      kinds: "list",
      since: "text",
      extra: "json",
    });
    expect(fields[0]).toMatchObject({ label: "Base url", hint: "Where it answers.", isRequired: true });
    expect(fields[2]).toMatchObject({ isInteger: true, min: 0, max: 1000, fallback: 50, isRequired: false });
  });

  it("shows defaults and sends only what differs from them", () => {
    const draft = emptyDraft(fields);
    expect(draft).toMatchObject({ pages: "50", isPublic: true, order: '"newest"', kinds: ["post"] });
    expect(toConfig(fields, draft)).toEqual({});
    const changed = {
      ...draft,
      baseUrl: "https://example.org",
      pages: "0",
      isPublic: false,
      level: "2",
      tags: " a \n\nb",
      extra: '{"x":1}',
    };
    const config = toConfig(fields, changed);
    expect(config).toEqual({
      baseUrl: "https://example.org",
      pages: 0,
      isPublic: false,
      level: 2,
      tags: ["a", "b"],
      extra: { x: 1 },
    });
    expect(schema.safeParse(config).success).toBe(true);
  });

  it("sends what it cannot read as it was typed, for the server to refuse", () => {
    expect(toConfig(fields, { pages: "many", extra: "{" })).toEqual({ pages: "many", extra: "{" });
  });

  it.each(adapters.map((adapter) => [adapter.type, adapter] as const))(
    "fits %s as it is registered: untouched it is a valid config or names what is required",
    (_, adapter) => {
      const own = readFields(z.toJSONSchema(adapter.config, { io: "input", unrepresentable: "any" }));
      expect(own.every((field) => field.kind !== "json")).toBe(true);
      const isComplete = own.every((field) => !field.isRequired);
      expect(adapter.config.safeParse(toConfig(own, emptyDraft(own))).success).toBe(isComplete);
    },
  );
});
