import { describe, expect, it } from "vitest";
import { safeHref, sanitiseHtml } from "@/app/(dashboard)/documents/[documentId]/sanitise";

describe("sanitiseHtml", () => {
  it("drops whatever could run, style or frame", () => {
    const html = `<p onclick="x()" style="position:fixed" class="z-50">a</p><script>x()</script><style>p{}</style>
      <iframe src="https://e.example"></iframe><svg onload="x()"><a href="javascript:x()">s</a></svg><form><input></form>`;
    const clean = sanitiseHtml(html, null);
    expect(clean).toContain("<p>a</p>");
    expect(clean).not.toMatch(/script|onload|onclick|style|class|iframe|svg|form|input|javascript|x\(\)/);
  });

  it("keeps links that a browser may follow, and reads relative ones against the document's address", () => {
    const clean = sanitiseHtml(
      `<a href="../b">b</a><a href=" java\tscript:x()">c</a>`,
      "https://e.example/a/",
    );
    expect(clean).toContain('href="https://e.example/b"');
    expect(clean).toContain("<a>c</a>");
  });

  it("turns pictures into links, so that nothing is fetched by showing a document", () => {
    const clean = sanitiseHtml(`<img src="http://192.168.0.1/reboot" alt="tide"><img src="data:x">`, null);
    expect(clean).not.toContain("<img");
    expect(clean).toContain("[Picture: tide]</a>");
    expect(clean).toContain("<span>[Picture]</span>");
  });

  it("leaves relative links out where their base is unknown", () => {
    expect(sanitiseHtml(`<a href="/b">b</a>`, null)).toBe("<a>b</a>");
  });
});

describe("safeHref", () => {
  it("lets only http, https and mailto through", () => {
    expect(safeHref("https://e.example/")).toBe("https://e.example/");
    expect(safeHref("javascript:alert(1)")).toBeNull();
    expect(safeHref("/relative")).toBeNull();
    expect(safeHref(null)).toBeNull();
  });
});
