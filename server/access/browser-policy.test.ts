import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { contentSecurityPolicy, SONNER_STYLE } from "./browser-policy";

it("allows exactly the stylesheet that the installed toaster brings along", () => {
  const code = readFileSync(createRequire(import.meta.url).resolve("sonner"), "utf8");
  const literal = /__insertCSS\((".*")\);/.exec(code)?.[1];
  const css = JSON.parse(literal ?? "null") as string;
  expect(`sha256-${createHash("sha256").update(css).digest("base64")}`).toBe(SONNER_STYLE);
});

it("lets no script run without the nonce of this answer, and nobody frame the page", () => {
  const policy = contentSecurityPolicy("bm9uY2U=");
  const directives = Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name, ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
  expect(directives["script-src"]).toEqual(["'nonce-bm9uY2U='", "'strict-dynamic'"]);
  expect(directives["default-src"]).toEqual(["'none'"]);
  for (const name of ["object-src", "base-uri", "frame-ancestors"])
    expect(directives[name]).toEqual(["'none'"]);
  expect(directives["form-action"]).toEqual(["'self'"]);
  expect(directives["style-src"]).not.toContain("'unsafe-inline'");
  expect(policy).not.toMatch(/unsafe-eval|\*|https?:/);
});
