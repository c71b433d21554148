import { describe, expect, it } from "vitest";
import { Prisma } from "@/server/db";
import { keyset, type SortColumn, type TableInput } from "./keyset";

function open(column: SortColumn, input: TableInput) {
  return keyset(
    { name: "things", filters: {} },
    { name: "at", column, defaultDir: "asc" },
    input,
    Prisma.sql`t.id`,
  );
}

describe("a place in a list", () => {
  const column: SortColumn = { sql: Prisma.sql`t.at`, kind: "instant" };
  const afterOf = (sortValue: string) => open(column, {}).cursorOf({ id: "run_1", sortValue });

  it("is taken back as it was given out", () => {
    const after = afterOf("2026-02-28T09:00:00.123456+00");
    expect(open(column, { after }).where.values).toEqual(["2026-02-28T09:00:00.123456+00", "run_1"]);
  });

  it("is refused where the database could not read its time", () => {
    for (const time of [
      "2026-02-30T09:00:00.000000",
      "2026-13-01T00:00:00.000000",
      "0000-01-01T00:00:00.000000",
    ]) {
      expect(() => open(column, { after: afterOf(`${time}+00`) }), time).toThrow(
        expect.objectContaining({ code: "invalid_request" }),
      );
    }
  });
});
