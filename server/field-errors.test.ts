import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toFieldErrors } from "./field-errors";

function saidOf(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  return error && toFieldErrors(error)[0]?.message;
}

describe("toFieldErrors", () => {
  it("says limits in words", () => {
    expect(saidOf(z.number().max(1000), 2000)).toBe("At most 1,000.");
    expect(saidOf(z.number().positive(), 0)).toBe("At least 0, not included.");
    expect(saidOf(z.string().max(3), "abcd")).toBe("At most 3 characters.");
    expect(saidOf(z.string().min(1), "")).toBe("Must not be empty.");
    expect(saidOf(z.array(z.string()).min(2), [])).toBe("At least 2 entries.");
  });

  it("leaves alone what a schema says itself", () => {
    expect(saidOf(z.string().max(3, "A code has three letters."), "abcd")).toBe("A code has three letters.");
  });

  it("writes paths with dots and brackets, below the prefix", () => {
    const { error } = z
      .object({ feeds: z.array(z.object({ key: z.string() })) })
      .safeParse({ feeds: [{ key: 1 }] });
    expect(error && toFieldErrors(error, "body")[0]?.path).toBe("body.feeds[0].key");
  });
});
