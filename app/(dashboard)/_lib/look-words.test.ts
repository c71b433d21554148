import { expect, it } from "vitest";
import { lookInWords } from "./look-words";

const nothing = { added: [], known: 0, refused: 0, elsewhere: 0, waiting: 0, unusable: 0 };
const feed = { feedId: "feed_x", name: "Storms" };

it("says what was added first, and then why the rest was not", () => {
  expect(lookInWords(nothing)).toBe("Nothing new. No feed was offered.");
  expect(lookInWords({ ...nothing, known: 1 })).toBe("Nothing new. 1 was here already.");
  expect(lookInWords({ ...nothing, added: [feed] })).toBe("Added 1 feed.");
  expect(lookInWords({ ...nothing, added: [feed, feed], known: 3, refused: 1, waiting: 12 })).toBe(
    "Added 2 feeds. 3 were here already; 1 was left out or deleted before; 12 more wait, as only a few are added at once.",
  );
  expect(lookInWords({ ...nothing, elsewhere: 2 })).toContain("add them yourself if you trust it");
});
