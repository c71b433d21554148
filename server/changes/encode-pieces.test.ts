import { expect, it } from "vitest";
import { encodePieces } from "./encode-pieces";

const KiB = 1024;

it.each([
  ["none", []],
  ["small ones of every width", ["a", "ü", "水", "🜄", "\ud800"]],
  ["one that fills the scratch by itself", ["before", "水".repeat(500 * KiB), "after"]],
  ["many that fill it together", Array.from({ length: 40 }, (_, n) => `${n}${"ü".repeat(64 * KiB)}`)],
  ["one of just its size", ["x".repeat(Math.floor((KiB * KiB) / 3)), "y"]],
])("gives the bytes of the pieces as one string: %s", (_, pieces) => {
  expect(encodePieces(pieces).equals(Buffer.from(pieces.join("")))).toBe(true);
});

it("gives memory of its own: what is encoded next does not write into it", () => {
  const first = encodePieces(["first"]);
  encodePieces(["other"]);
  expect(first.toString()).toBe("first");
});
