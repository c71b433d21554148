import { UpstreamError } from "@/sdk/adapter";
import { BodyTooLarge, BodyUndecodable } from "./http-body";
import { BlockedAddress, ConnectTimeout } from "./http-connect";

/** A limit of our own ran out. */
export class TimeLimit extends Error {
  override readonly name = "TimeLimit";
  constructor(
    readonly stage: "first byte" | "total",
    readonly limitMs: number,
  ) {
    super(`${stage} took longer than ${limitMs} ms`);
  }
}

/**
 * Says in words what went wrong below HTTP. Names the host only: system messages carry addresses
 * of the inner network.
 */
export function explainFailure(
  error: unknown,
  url: URL,
  limits: { maxBytes: number; connectMs: number },
): UpstreamError {
  const { host } = url;
  const cause = { cause: error };
  if (error instanceof UpstreamError) return error;
  if (error instanceof BlockedAddress) return blockedAddress(host);
  if (error instanceof ConnectTimeout) {
    return new UpstreamError(
      "too_slow",
      `${host} did not accept a connection within ${seconds(limits.connectMs)}. It will be tried again.`,
      { retryable: true },
      cause,
    );
  }
  if (error instanceof TimeLimit) {
    const what = error.stage === "total" ? "did not finish its answer" : "sent no answer";
    return new UpstreamError(
      "too_slow",
      `${host} ${what} within ${seconds(error.limitMs)}. It will be tried again.`,
      { retryable: true },
      cause,
    );
  }
  if (error instanceof BodyTooLarge) {
    return new UpstreamError(
      "too_large",
      `${host} sent more than ${megabytes(limits.maxBytes)}, the most that is read of one address.`,
      { retryable: false },
      cause,
    );
  }
  if (error instanceof BodyUndecodable) {
    return new UpstreamError(
      "protocol",
      `The compressed answer of ${host} is broken or ended early. It will be tried again.`,
      { retryable: true },
      cause,
    );
  }
  const code = codeOf(error);
  return new UpstreamError(
    code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW" ? "protocol" : "unavailable",
    `${host} ${wordsFor(code)}. It will be tried again.`,
    { retryable: true, ...(code ? { detail: code } : {}) },
    cause,
  );
}

export function blockedAddress(host: string): UpstreamError {
  return new UpstreamError(
    "blocked_address",
    `${host} is, or leads to, an address inside a private or reserved network, which is not fetched. ` +
      "If that is intended, whoever runs this server can list the network in TIDEMARK_ALLOW_PRIVATE_NETWORKS.",
    { retryable: false },
  );
}

function wordsFor(code: string): string {
  switch (code) {
    case "ENOTFOUND":
    case "ENODATA":
      return "is a name that cannot be found. Check its spelling";
    case "EAI_AGAIN":
      return "could not be looked up just now";
    case "ECONNREFUSED":
      return "refused the connection: nothing answers at that port";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "cannot be reached from here";
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return "closed the connection before its answer was complete";
    default:
      if (code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW")
        return "did not answer in valid HTTP";
      if (/CERT|SIGNATURE|TLS|SSL|UNABLE_TO/.test(code)) {
        return `has no valid certificate or secure connection (${code})`;
      }
      return code ? `could not be read (${code})` : "could not be read";
  }
}

/** The first code found on the error or its causes; several tried addresses are an AggregateError. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string") return code;
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return "";
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

function megabytes(bytes: number): string {
  return bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
