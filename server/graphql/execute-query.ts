import { createYoga, type Plugin } from "graphql-yoga";
import { answerResult } from "./answer";
import { checkComplexity } from "./check-complexity";
import type { GraphqlContext } from "./context";
import { TooComplexError } from "./errors";
import { parseQuery } from "./parse-query";
import type { QueryParams } from "./read-params";
import { schema } from "./schema";

export const GRAPHQL_PATH = "/api/graphql";

type ServerContext = GraphqlContext & { asked: QueryParams; accept: string | null };

/** The parts of Yoga's HTTP that are ours: the body was read within bounds, errors have our codes and statuses. */
const transport: Plugin<object, ServerContext> = {
  onRequestParse: ({ serverContext, setRequestParser }) => setRequestParser(() => serverContext.asked),
  onParse: ({ setParseFn }) => setParseFn(parseQuery),
  onValidate({ context, params, setResult }) {
    try {
      checkComplexity(params.documentAST, (context as unknown as ServerContext).asked.variables);
    } catch (error) {
      if (!(error instanceof TooComplexError)) throw error;
      setResult([error]); // skips validation, which is what such a query is made to exhaust
    }
  },
  onResultProcess: ({ result, serverContext, setResultProcessor }) =>
    setResultProcessor(() => {
      if (Array.isArray(result) || Symbol.asyncIterator in result) throw new Error("a result of many parts");
      return answerResult(result, serverContext);
    }, "application/json"),
};

const yoga = createYoga<ServerContext>({
  schema,
  plugins: [transport],
  graphqlEndpoint: GRAPHQL_PATH,
  fetchAPI: { Request, Response },
  // Cached by its text, a query with documents in it would stay in memory, a thousand of them.
  parserAndValidationCache: false,
  // Done before Yoga is asked, and by answer.ts.
  maxRequestBodySize: false,
  maskedErrors: false,
  logging: false,
  graphiql: false,
  landingPage: false,
  cors: false,
  batching: false,
  multipart: false,
});

/** Carries out what was asked, for someone whose access has been looked at. */
export async function executeQuery(
  asked: QueryParams,
  context: GraphqlContext,
  { accept, signal }: { accept: string | null; signal: AbortSignal },
): Promise<Response> {
  const request = new Request(`http://localhost${GRAPHQL_PATH}`, { method: "POST", signal });
  return yoga.fetch(request, { ...context, asked, accept });
}
