import { type Handler, Parser } from "htmlparser2";

/** Deeper than any page; the parser searches its open elements at every end tag. */
const MAX_OPEN = 2000;

/** Thrown through the parser to end it early. */
class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** Runs the tolerant HTML parser; a page of endlessly nested elements is read up to there. */
export function walkHtml(html: string, handler: Partial<Handler>): void {
  let open = 0;
  const parser = new Parser({
    ...handler,
    onopentag(name, attributes, implied) {
      if (++open > MAX_OPEN) throw new TooDeep();
      handler.onopentag?.(name, attributes, implied);
    },
    onclosetag(name, implied) {
      open--;
      handler.onclosetag?.(name, implied);
    },
  });
  try {
    parser.end(html);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
}
