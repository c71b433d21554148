import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { AppError, type ErrorCode, HTTP_STATUS } from "@/server/errors";
import { log } from "@/server/log";
import { asUnavailable } from "@/server/transaction";

/** Codes that only this transport gives: no use case throws them. */
type TransportCode = "internal_error" | "method_not_allowed" | "query_too_complex";

/** An error as it is sent, and what it makes of the answer when there is no other data in it. */
export type Refusal = { error: GraphQLFormattedError; status: number; retryAfterSeconds?: number };

/** Validation may quote a whole string back. */
const MAX_MESSAGE = 500;

/** A query that costs too much, whatever it asks for. */
export class TooComplexError extends GraphQLError {}

/** Whatever was thrown, as clients see it; what nobody expected goes to the log whole, and only there. */
export function describeError(error: unknown, requestId: string): Refusal {
  const thrown = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const place = error instanceof GraphQLError ? placeOf(error) : {};
  const known = thrown instanceof AppError ? thrown : asUnavailable(thrown);
  if (known) return describeKnown(known, requestId, place);
  if (thrown instanceof GraphQLError && !isOurFault(thrown)) {
    const code = thrown instanceof TooComplexError ? "query_too_complex" : "invalid_request";
    const status = thrown.message.startsWith("Syntax Error") ? 400 : 422;
    return refusal({ code, message: withoutValues(thrown.message), status, requestId, place });
  }
  log.error({ err: thrown, requestId, path: place.path }, "unexpected error");
  const message = `Something went wrong. The server's log knows it by the request id ${requestId}.`;
  return refusal({ code: "internal_error", message, status: 500, requestId, place });
}

function describeKnown(known: AppError, requestId: string, place: Place): Refusal {
  const { fields, retryAfterSeconds, extra, details, status } = known.info;
  if (known.code === "unavailable") log.warn({ err: known.cause ?? known, requestId }, "unavailable");
  else log.debug({ code: known.code, details, requestId }, "refused");
  const described = refusal({
    code: known.code,
    message: known.message,
    status: status ?? HTTP_STATUS[known.code],
    requestId,
    place,
    more: {
      ...extra,
      ...(fields && { errors: fields }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  });
  return { ...described, retryAfterSeconds };
}

/**
 * A mistake is told with what it was found at, which may be a password or an address with a key in it: what kind
 * of thing it was says enough.
 */
function withoutValues(message: string): string {
  return message
    .replace(/^(Syntax Error: .*found )(?:Block)?String ".*$/s, "$1a string.")
    .replace(/^(Syntax Error: .*found )(Name|Int|Float) ".*$/s, "$1$2.")
    .replace(/^(Variable "\$\w+" got invalid value ).*?( at "|; )/s, "$1(not repeated here)$2");
}

type Place = Pick<GraphQLFormattedError, "locations" | "path">;

export function refusal({
  code,
  message,
  status,
  requestId,
  place = {},
  more = {},
}: {
  code: ErrorCode | TransportCode;
  message: string;
  status: number;
  requestId: string;
  place?: Place;
  /** Members that some codes add, such as `runId` of `run_active`. */
  more?: Record<string, unknown>;
}): Refusal {
  const shown = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return { status, error: { message: shown, ...place, extensions: { ...more, code, requestId } } };
}

/**
 * Below a field, graphql complains of arguments, which are the client's, and of answers that do not fit
 * the schema, which are ours.
 */
function isOurFault(error: GraphQLError): boolean {
  return error.path !== undefined && !error.message.startsWith("Argument ");
}

function placeOf({ locations, path }: GraphQLError): Place {
  return { ...(locations && { locations }), ...(path && { path }) };
}
