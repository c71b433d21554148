import { createGuardedFetch } from "@/adapters/http";
import { type Credentials, type DiscoverContext, UpstreamError } from "@/sdk/adapter";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { log } from "@/server/log";

/** A person waits in front of a form; what takes longer is told to take a look at the address. */
const ASK_TIMEOUT_MS = 30_000;

/** What discovery and connection tests hand an adapter. Nothing is stored, nobody holds a lease. */
export function askContext(
  config: unknown,
  credentials: Credentials,
  signal: AbortSignal | undefined,
): Omit<DiscoverContext, "input"> {
  const { TIDEMARK_ALLOW_PRIVATE_NETWORKS, TIDEMARK_DEMO_ORIGIN } = env();
  const timeout = AbortSignal.timeout(ASK_TIMEOUT_MS);
  return {
    config,
    credentials,
    fetch: createGuardedFetch({
      allowPrivateNetworks: TIDEMARK_ALLOW_PRIVATE_NETWORKS.split(",")
        .map((part) => part.trim())
        .filter(Boolean),
      exemptOrigin: TIDEMARK_DEMO_ORIGIN,
      credentials,
    }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    log: {
      info: (message, data) => log.debug({ data }, message),
      warn: (code, message, data) => log.info({ code, data }, message),
    },
    now: () => new Date(),
  };
}

/**
 * Runs a question to an upstream and turns its failure into an answer for people.
 *
 * @throws AppError upstream_failed, with the upstream's own code as `upstreamCode`.
 */
export async function translateFailure<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UpstreamError) {
      const { status, retryable, detail } = error.info;
      throw new AppError(
        "upstream_failed",
        error.message,
        {
          extra: {
            upstreamCode: error.code,
            upstreamStatus: status ?? null,
            retryable,
            upstreamDetail: detail ?? null,
          },
        },
        { cause: error },
      );
    }
    if (error instanceof DOMException && error.name === "TimeoutError") {
      const message = `No answer within ${ASK_TIMEOUT_MS / 1000} seconds. Check the address, or try again later.`;
      throw new AppError(
        "upstream_failed",
        message,
        { extra: { upstreamCode: "too_slow" } },
        { cause: error },
      );
    }
    throw error;
  }
}
