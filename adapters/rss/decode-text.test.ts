import { expect, it } from "vitest";
import { decodeText } from "./decode-text";

const utf16 = (text: string, littleEndian: boolean) => {
  const bytes = Buffer.from(text, "utf16le");
  return littleEndian ? bytes : bytes.swap16();
};
const utf32 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer([...text].length * 4));
  for (const [i, char] of [...text].entries()) view.setUint32(i * 4, char.codePointAt(0) ?? 0, littleEndian);
  return Buffer.from(view.buffer);
};
const latin1 = (text: string) => Buffer.from(text, "latin1");
const declared = (encoding: string) => `<?xml version='1.0' encoding='${encoding}'?>`;
const QUOTES = "\x93tide\x94 \xa3"; // “tide” £ in windows-1252

it.each([
  [
    "a UTF-8 mark, against the header",
    Buffer.from("\uFEFF<a>é</a>"),
    "text/xml; charset=iso-8859-1",
    "<a>é</a>",
  ],
  ["a UTF-16BE mark", utf16("\uFEFF<a>é</a>", false), undefined, "<a>é</a>"],
  ["a UTF-16LE mark", utf16("\uFEFF<a>é</a>", true), undefined, "<a>é</a>"],
  ["UTF-16BE without a mark", utf16("<a>é</a>", false), undefined, "<a>é</a>"],
  ["UTF-16LE without a mark", utf16('{"a":"é"}', true), "application/json; charset=utf-8", '{"a":"é"}'],
  ["a UTF-32BE mark", utf32("\uFEFF<a>😀</a>", false), undefined, "<a>😀</a>"],
  ["UTF-32LE without a mark", utf32("<a>😀</a>", true), undefined, "<a>😀</a>"],
  ["the header's charset", latin1(`<a>${QUOTES}</a>`), 'text/xml; charset="windows-1252"', "<a>“tide” £</a>"],
  [
    "the header before the declaration",
    latin1(`${declared("utf-8")}${QUOTES}`),
    "text/xml;charset=windows-1252",
    `${declared("utf-8")}“tide” £`,
  ],
  [
    "UTF-8 that says so, before a blanket Latin-1 header",
    Buffer.from(`${declared("utf-8")}é`),
    "text/xml; charset=iso-8859-1",
    `${declared("utf-8")}é`,
  ],
  ["the declaration", latin1(`${declared("iso-8859-7")}\xe1`), "text/xml", `${declared("iso-8859-7")}α`],
  [
    "ISO-8859-1, read as windows-1252",
    latin1(`${declared("ISO-8859-1")}${QUOTES}`),
    undefined,
    `${declared("ISO-8859-1")}“tide” £`,
  ],
  ["UTF-8 when nothing is said", Buffer.from("<a>é</a>"), undefined, "<a>é</a>"],
  [
    "windows-1252 when it is not UTF-8",
    latin1(`<a>${QUOTES}</a>`),
    "text/xml; charset=utf-8",
    "<a>“tide” £</a>",
  ],
  [
    "the declaration when the header's charset fails",
    latin1(`${declared("iso-8859-2")}\xb1`),
    "text/xml; charset=utf-8",
    `${declared("iso-8859-2")}ą`,
  ],
  [
    "an unknown charset as UTF-8",
    Buffer.from(`${declared("bogus")}é`),
    "text/xml; charset=x-made-up",
    `${declared("bogus")}é`,
  ],
  [
    "a declared UTF-16 that is ASCII",
    Buffer.from(`${declared("utf-16")}é`),
    undefined,
    `${declared("utf-16")}é`,
  ],
  [
    "one torn character among good ones",
    Buffer.concat([Buffer.from("ééééééé"), Buffer.from([0xc3]), Buffer.from(" x")]),
    undefined,
    "ééééééé\uFFFD x",
  ],
  ["Shift_JIS that nobody declared", Buffer.from("82cd82ea82bd82e0", "hex"), undefined, "はれたも"],
])("decodes by %s", (_, bytes, contentType, text) => {
  expect(decodeText(bytes, contentType).text).toBe(text);
});
