/** JSON with every number kept as its source text, so that ids beyond 2^53 stay exact. */
export type ExactJson = string | boolean | null | ExactJson[] | { [key: string]: ExactJson };

/**
 * Parses JSON without touching numbers: `{"id": 723389637071249411}` gives the string
 * "723389637071249411".
 *
 * @throws SyntaxError as JSON.parse does.
 */
export function parseExactJson(text: string): ExactJson {
  return JSON.parse(quoteNumbers(text));
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function quoteNumbers(text: string): string {
  const parts: string[] = [];
  let done = "";
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22 /* " */) {
      at = endOfString(text, at);
    } else if (code === 0x2d /* - */ || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0];
      if (!number) break; // a lone "-": JSON.parse says so better
      parts.push(text.slice(copied, at), `"${number}"`);
      at += number.length;
      copied = at;
      // Ten million numbers would be as many pieces.
      if (parts.length > 10_000) done += parts.splice(0).join("");
    } else {
      at++;
    }
  }
  parts.push(text.slice(copied));
  return done + parts.join("");
}

/** Index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
    at = end;
  }
}
