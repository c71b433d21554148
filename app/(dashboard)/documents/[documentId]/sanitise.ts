import sanitizeHtml from "sanitize-html";

/** Where a link of a document may lead. */
const SCHEMES = ["http", "https", "mailto"];

/**
 * Foreign HTML made safe to show inside the dashboard: an allowlist of text markup. Pictures become
 * links: fetching them would tell their host who reads when, and let it ask the reader's own network.
 *
 * @param baseUrl Against which relative addresses are read; null leaves them out.
 */
export function sanitiseHtml(html: string, baseUrl: string | null): string {
  return sanitizeHtml(html, {
    allowedTags: [
      ...[
        "p",
        "br",
        "hr",
        "div",
        "span",
        "blockquote",
        "pre",
        "code",
        "kbd",
        "samp",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
      ],
      ...[
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "td",
        "th",
        "caption",
      ],
      ...[
        "a",
        "b",
        "strong",
        "i",
        "em",
        "u",
        "s",
        "del",
        "ins",
        "sub",
        "sup",
        "small",
        "mark",
        "q",
        "cite",
        "abbr",
        "time",
      ],
      ...["figure", "figcaption"],
    ],
    // No class, id or style: a document must not look like, or lie over, the dashboard.
    allowedAttributes: {
      a: ["href", "title", "rel", "target"],
      td: ["colspan", "rowspan"],
      th: ["colspan", "rowspan"],
    },
    allowedSchemes: SCHEMES,
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, attributes) => ({
        tagName,
        attribs: linkAttributes(absolute(attributes.href, baseUrl), attributes.title),
      }),
      img: (_, attributes) => {
        const source = absolute(attributes.src, baseUrl);
        const label = attributes.alt?.trim() ? `[Picture: ${attributes.alt.trim()}]` : "[Picture]";
        return source
          ? { tagName: "a", attribs: linkAttributes(source), text: label }
          : { tagName: "span", attribs: {}, text: label };
      },
    },
  });
}

/** The address itself when a browser may follow it, else null. */
export function safeHref(url: string | null | undefined): string | null {
  return absolute(url ?? undefined, null);
}

function absolute(address: string | undefined, baseUrl: string | null): string | null {
  if (!address) return null;
  try {
    const url = baseUrl ? new URL(address, baseUrl) : new URL(address);
    return SCHEMES.includes(url.protocol.slice(0, -1)) ? url.href : null;
  } catch {
    return null;
  }
}

function linkAttributes(href: string | null, title?: string): Record<string, string> {
  if (!href) return {};
  return { href, rel: "noreferrer noopener nofollow", target: "_blank", ...(title && { title }) };
}
