import { describe, expect, it } from "vitest";
import { readKey } from "@/app/(dashboard)/_components/command/shortcuts";

const places = new Map([
  ["s", "/sources"],
  ["r", "/runs"],
]);
const press = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isBusy: false,
  ...more,
});

describe("a key", () => {
  it("opens the palette with Ctrl or Cmd, even while text is typed", () => {
    expect(readKey(press("k", { ctrlKey: true, isBusy: true }), false, places)).toBe("palette");
    expect(readKey(press("K", { metaKey: true }), false, places)).toBe("palette");
    expect(readKey(press("k"), false, places)).toBeNull();
  });

  it("goes to a page after g, and nowhere without it", () => {
    expect(readKey(press("g"), false, places)).toBe("g");
    expect(readKey(press("r"), true, places)).toEqual({ go: "/runs" });
    expect(readKey(press("r"), false, places)).toBeNull();
    expect(readKey(press("x"), true, places)).toBeNull();
  });

  it("means nothing while text is typed, a dialog is in front, or with other modifiers", () => {
    expect(readKey(press("?", { isBusy: true }), false, places)).toBeNull();
    expect(readKey(press("r", { isBusy: true }), true, places)).toBeNull();
    expect(readKey(press("r", { ctrlKey: true }), true, places)).toBeNull();
    expect(readKey(press("?"), false, places)).toBe("help");
  });
});
