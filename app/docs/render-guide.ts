import { Marked, type Tokens } from "marked";
import { resolveLink } from "./guides";

export type RenderedGuide = {
  /** Its first heading. */
  title: string;
  /** The rest. */
  html: string;
  sections: { id: string; title: string }[];
};

/**
 * A guide of ours as HTML. Headings get the ids that links to them use, as code hosts make them; what may scroll can
 * be reached by keyboard; markup in the text stays text.
 *
 * @param file it is of, from the project's root: its links are relative to that.
 */
export function renderGuide(markdown: string, file: string): RenderedGuide {
  const sections: RenderedGuide["sections"] = [];
  let title = "";
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens, text }: Tokens.Heading) {
        if (depth === 1) {
          title = plain(text);
          return "";
        }
        const id = slug(text);
        if (depth === 2) sections.push({ id, title: plain(text) });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = resolveLink(file, href);
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      code({ text, lang }: Tokens.Code) {
        const label = lang ? `Example, ${lang}` : "Example";
        return `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], cell: "th" | "td") =>
          `<tr>${cells.map(({ tokens }) => `<${cell}>${this.parser.parseInline(tokens)}</${cell}>`).join("")}</tr>`;
        const isBare = token.header.every(({ text }) => text.trim() === "");
        const head = isBare ? "" : `<thead>${row(token.header, "th")}</thead>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html, sections };
}

/** As code hosts make a heading's id. */
function slug(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function plain(inline: string): string {
  return inline.replace(/[`*]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
