import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { GUIDES, resolveLink } from "./guides";
import { renderGuide } from "./render-guide";

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), "utf8");

it("shows every guide there is, or says where else it is shown", async () => {
  const files = (await readdir(new URL("../../docs", import.meta.url))).filter((name) =>
    name.endsWith(".md"),
  );
  expect(files.length).toBeGreaterThan(8);
  for (const name of files) expect(resolveLink("docs/README.md", name), name).not.toBeNull();
});

describe.each(GUIDES.map((guide) => [guide.name, guide] as const))("%s", (_name, { file }) => {
  it("has a title, and every link in it leads to a heading that is there", async () => {
    const { title, html } = renderGuide(await read(file), file);
    expect(title).not.toBe("");
    expect(html).not.toContain("<h1");
    for (const [, href = ""] of html.matchAll(/<a href="([^"]+)"/g)) {
      if (/^https?:/.test(href)) continue;
      const [path = "", id] = href.split("#");
      const target = path === "" ? file : GUIDES.find(({ name }) => path === `/docs/${name}`)?.file;
      expect(target !== undefined || path === "/docs", href).toBe(true);
      if (id && target) expect(renderGuide(await read(target), target).html, href).toContain(`id="${id}"`);
    }
  });
});

it("makes links between files to links between pages, and text of those that no page shows", () => {
  const { html } = renderGuide(
    "# T\n[a](limits.md#rate-limit) [b](../sdk/adapter.ts) [c](https://example.org/?a=1&b=2) [d](../sdk/README.md)",
    "docs/ingest.md",
  );
  expect(html).toContain('<a href="/docs/limits#rate-limit">a</a>');
  expect(html).toContain(" b ");
  expect(html).toContain('<a href="https://example.org/?a=1&amp;b=2">c</a>');
  expect(html).toContain('<a href="/docs/client">d</a>');
});

it("leaves markup in the text as text", () => {
  const { html } = renderGuide(
    '# T\nA <b onclick="x">bold</b> `<i>`\n\n<script>x</script>\n\n```html\n<p>\n```',
    "docs/x.md",
  );
  expect(html).not.toMatch(/<(b|i|script|p on)\b/);
  expect(html).toContain("&lt;script&gt;");
  expect(html).toContain("<code>&lt;p&gt;</code>");
});
