import { expect, it } from "vitest";
import { readDocument } from "./read-document";

it("takes a JSON object and says what is wrong with anything else", () => {
  expect(readDocument('{"id": "a"}')).toEqual({ ok: true, document: { id: "a" } });
  expect(readDocument('{"id": ')).toMatchObject({ ok: false, message: expect.stringContaining("not JSON") });
  for (const text of ["[]", "null", "3", '"x"']) expect(readDocument(text)).toMatchObject({ ok: false });
});
