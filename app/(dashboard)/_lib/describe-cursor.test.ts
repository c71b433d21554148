import { describe, expect, it } from "vitest";
import { cursorInShort, cursorInWords } from "@/app/(dashboard)/_lib/describe-cursor";

describe("cursorInWords", () => {
  it("says each kind of cursor so that people know how far it is", () => {
    expect(cursorInWords("date", "2026-06-14T14:45:00+05:45")).toBe(
      "Everything up to 14 June 2026, 09:00 UTC",
    );
    expect(cursorInWords("idSet", '{"high":"1042","recent":["1041"]}')).toBe("Everything up to id 1042");
    expect(cursorInWords("idSet", "1042")).toBe("Everything up to id 1042");
    expect(cursorInWords("token", "CAo=")).toBe("At a position that only the upstream can read");
    expect(cursorInWords("none", null)).toBe("This feed keeps no position: each sync lists everything");
    expect(cursorInWords(null, null)).toBe("No position yet: the next sync starts at the beginning");
  });

  it("keeps apart what is empty and what is absent", () => {
    expect(cursorInShort("token", "")).toBe("");
    expect(cursorInShort("token", null)).toBe("none");
  });
});
