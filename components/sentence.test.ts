import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { plainSentence, Sentence } from "./sentence";

const html = (text: string) =>
  renderToStaticMarkup(createElement(Sentence, null, text)).replace(/ class="[^"]*"/g, "");

it("sets what stands in backticks as code, and leaves lone ones and markup as text", () => {
  expect(html("`title` is not a string; see `a.b`.")).toBe(
    "<code>title</code> is not a string; see <code>a.b</code>.",
  );
  expect(html("It costs 5` or more")).toBe("It costs 5` or more");
  expect(html("`<b>` and ``")).toBe("<code>&lt;b&gt;</code> and ``");
});

it("leaves them out where only text can be", () => {
  expect(plainSentence("`title` is not a string.")).toBe("title is not a string.");
  expect(plainSentence("no ` here")).toBe("no ` here");
});
