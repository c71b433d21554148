import { type TRPC_ERROR_CODE_KEY, type TRPCDefaultErrorShape, TRPCError } from "@trpc/server";
import { z } from "zod";
import { AppError, type ErrorCode, type FieldError, HTTP_STATUS } from "@/server/errors";
import { toFieldErrors } from "@/server/field-errors";
import { asUnavailable } from "@/server/transaction";

/** tRPC's word for each status of HTTP_STATUS. It has none for 410. */
const TRPC_CODE: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  410: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
};

/** What clients find in `error.data`, beside tRPC's own members. */
export type ErrorData = {
  /** The stable part: the same codes as in REST. */
  appCode: ErrorCode | "internal_error";
  fields: FieldError[];
  /** What the log knows this request by. */
  requestId: string | null;
  /** Members that some codes add, such as `runId` of `run_active`. */
  extra: Record<string, unknown>;
};

/** Anything but an AppError or a refused input is a bug and stays INTERNAL_SERVER_ERROR. */
export function toTRPCError(error: TRPCError): TRPCError {
  const known = asAppError(error);
  if (!known) return error;
  const code = TRPC_CODE[known.info.status ?? HTTP_STATUS[known.code]] ?? "INTERNAL_SERVER_ERROR";
  return new TRPCError({ code, message: known.message, cause: known });
}

function asAppError(error: TRPCError): AppError | null {
  const { cause } = error;
  if (cause instanceof AppError) return cause;
  if (error.code === "BAD_REQUEST" && cause instanceof z.core.$ZodError) {
    const fields = toFieldErrors(cause);
    const [first] = fields;
    const message = first ? `${first.path ? `${first.path}: ` : ""}${first.message}` : "Invalid input.";
    return new AppError("invalid_request", message, { fields });
  }
  return cause ? asUnavailable(cause) : null;
}

export function describeError(
  shape: TRPCDefaultErrorShape,
  error: TRPCError,
  requestId: string | null,
): Omit<TRPCDefaultErrorShape, "data"> & { data: TRPCDefaultErrorShape["data"] & ErrorData } {
  const { stack: _, ...data } = shape.data;
  const cause = error.cause instanceof AppError ? error.cause : null;
  const isBug = error.code === "INTERNAL_SERVER_ERROR" && !cause;
  return {
    ...shape,
    message: isBug ? "Something went wrong. The log knows it by the request id." : shape.message,
    data: {
      ...data,
      appCode: cause?.code ?? codeOfTransport(error.code),
      fields: cause?.info.fields ?? [],
      requestId,
      extra: cause?.info.extra ?? {},
    },
  };
}

/** What tRPC itself refuses before any procedure runs. */
function codeOfTransport(code: TRPC_ERROR_CODE_KEY): ErrorData["appCode"] {
  switch (code) {
    case "PARSE_ERROR":
      return "malformed_json";
    case "NOT_FOUND":
      return "not_found";
    case "PAYLOAD_TOO_LARGE":
      return "body_too_large";
    case "BAD_REQUEST":
    case "METHOD_NOT_SUPPORTED":
    case "UNSUPPORTED_MEDIA_TYPE":
      return "invalid_request";
    default:
      return "internal_error";
  }
}
