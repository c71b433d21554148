import { type DocumentNode, Lexer, parse, Source, TokenKind } from "graphql";
import { TooComplexError } from "./errors";
import { MAX_NESTING, MAX_TOKENS } from "./limits";

const OPENING = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * A query's text as a document. Its words are counted first, which needs neither memory nor recursion,
 * so that the parser, which needs both, never sees a hostile one.
 *
 * @throws GraphQLError for a mistake in the text; TooComplexError.
 */
export function parseQuery(text: string): DocumentNode {
  const source = new Source(text);
  const lexer = new Lexer(source);
  let nesting = 0;
  for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; tokens++) {
    if (tokens >= MAX_TOKENS) {
      throw new TooComplexError(
        `The query has more than ${MAX_TOKENS} words and marks. Send documents and other long values as variables.`,
      );
    }
    if (OPENING.has(lexer.token.kind)) nesting += 1;
    else if (CLOSING.has(lexer.token.kind)) nesting -= 1;
    if (nesting > MAX_NESTING) {
      throw new TooComplexError(
        `The query is nested more than ${MAX_NESTING} deep. Ask for less in one go; send nested values as variables.`,
      );
    }
  }
  return parse(source);
}
