import { expect, it } from "vitest";
import { findIdTarget } from "@/app/(dashboard)/_components/command/id-target";

const RUN = "run_01k0000000e00r0000000000ad";

it.each([
  [RUN, `/runs/${RUN}`],
  [` "runId":"${RUN}", `, `/runs/${RUN}`],
  ["https://x.test/feeds/feed_01k0000000e00r0000000000ab?tab=runs", "/feeds/feed_01k0000000e00r0000000000ab"],
  ["src_01k0000000e00r0000000000aa", "/sources/src_01k0000000e00r0000000000aa"],
  ["doc_01k0000000e00r0000000000ac", "/documents/doc_01k0000000e00r0000000000ac"],
])("finds the page of %s", (text, href) => {
  expect(findIdTarget(text)?.href).toBe(href);
});

it.each(["run", "run_short", `x${RUN}`, `${RUN}0`, "tok_01k0000000e00r0000000000aa"])(
  "finds no page for %s",
  (text) => {
    expect(findIdTarget(text)).toBeNull();
  },
);
