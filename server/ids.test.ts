import { expect, it } from "vitest";
import { firstIdAt, isId, newId } from "./ids";

it("bounds the ids made since a moment from below", () => {
  const id = newId("run");
  const later = new Date(Date.now() + 1);
  expect(firstIdAt("run", new Date(later.getTime() - 60_000)) < id).toBe(true);
  expect(id < firstIdAt("run", later)).toBe(true);
  expect(isId("run", firstIdAt("run", later))).toBe(true);
});

it("has a bound for any date", () => {
  const bounds = ["0001-01-01", "1970-01-02", "2026-06-14", "9999-12-31"].map((day) =>
    firstIdAt("run", new Date(`${day}T00:00:00Z`)),
  );
  expect(bounds.toSorted()).toEqual(bounds);
});
