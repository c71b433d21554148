import { expect, it } from "vitest";
import { readTarget } from "./request-line.mjs";

it("leaves a path and its query as they came", () => {
  for (const target of ["/", "/api/v1/sources?limit=1", "/a?q=%ff&r=http://b/", "//double"]) {
    expect(readTarget(target)).toBe(target);
  }
});

it("takes the path out of a whole address, whatever host it names", () => {
  expect(readTarget("http://localhost:3000/api/v1/sources?limit=1")).toBe("/api/v1/sources?limit=1");
  expect(readTarget("HTTP://evil.example/sources")).toBe("/sources");
  expect(readTarget("http://localhost:3000")).toBe("/");
  expect(readTarget("http://localhost:3000?q=1")).toBe("/?q=1");
});

it("makes a path of what is none", () => {
  for (const target of ["*", "", "localhost:80", "ftp://host/file"]) expect(readTarget(target)).toBe("/");
});

it("escapes a path whose escapes are not UTF-8 once more", () => {
  expect(readTarget("/api/v1/%ff?q=%ff")).toBe("/api/v1/%25ff?q=%ff");
});
