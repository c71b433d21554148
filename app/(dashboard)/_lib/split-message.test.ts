import { expect, it } from "vitest";
import { splitMessage } from "@/app/(dashboard)/_lib/split-message";

it("takes the first sentence as the title and leaves dots inside names alone", () => {
  expect(splitMessage("example.org answered 403 (forbidden). It may block automated readers.")).toEqual({
    title: "example.org answered 403 (forbidden).",
    rest: "It may block automated readers.",
  });
  expect(splitMessage("Dr. no")).toEqual({ title: "Dr. no", rest: "" });
});
