import type { GuardedFetchOptions } from "@/adapters/http";
import { getAdapter } from "@/adapters/registry";
import { type Adapter, type DiscoveredFeed, UpstreamError } from "@/sdk/adapter";
import { maskUrlsInText } from "@/sdk/mask-url";
import type { Caller } from "@/server/actor";
import type { Db, Source } from "@/server/db";
import { AppError } from "@/server/errors";
import { log } from "@/server/log";
import { AdapterFault, type Ending, explainEnding } from "@/server/runs/explain-ending";
import { createRunFetch, createUpstreamMask, openSourceCredentials } from "@/server/runs/open-run";
import { openCredential } from "@/server/vault/credentials";
import { asUrl } from "./look-address";

export type AskOptions = {
  timeoutMs: number;
  signal?: AbortSignal;
  now: () => Date;
  /** Asked instead of the adapter; for tests. */
  discover?: Adapter["discover"];
  /** Changes to the guarded fetch; for tests. */
  fetch?: Partial<GuardedFetchOptions>;
};

export type Answer =
  | { ok: true; feeds: DiscoveredFeed[] }
  | { ok: false; ending: Extract<Ending, { error: object }> };

/**
 * Asks a source's adapter again which feeds there are, where the source was connected: with its
 * credentials, within the limits that hold for its syncs (cooldowns, two requests a host).
 *
 * @returns what went wrong as an answer, for the source to show.
 * @throws the signal's reason when the process stops; AppError unavailable when the database is away.
 */
export async function askForFeeds(
  db: Db,
  caller: Caller,
  source: Source,
  options: AskOptions,
): Promise<Answer> {
  const tooSlow = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, tooSlow]) : tooSlow;
  let mask = maskUrlsInText;
  try {
    const adapter = getAdapter(source.type);
    if (!adapter?.discover) throw new AppError("conflict", "Sources of this type cannot be asked for feeds.");
    const credentials = await openSourceCredentials(db, caller.workspaceId, source.credentialId);
    const address = await openAddress(db, source);
    mask = createUpstreamMask(credentials, asUrl(address) ?? `https://${address ?? ""}`);
    // Without a scheme it is the first request, to one scheme or the other, that says whose the credentials are.
    const opened = { url: asUrl(address) ?? "", credentials, credentialKey: source.credentialId ?? "" };
    const feeds = await (options.discover ?? adapter.discover)({
      config: parseConfig(adapter.config.safeParse(source.config)),
      input: address,
      credentials,
      fetch: createRunFetch(db, caller, opened, {
        adapter,
        signal,
        now: options.now,
        onRequest: undefined,
        overrides: options.fetch,
      }),
      signal,
      log: {
        info: (message, data) => log.debug({ data, sourceId: source.id }, mask(message)),
        warn: (code, message, data) => log.info({ code, data, sourceId: source.id }, mask(message)),
      },
      now: options.now,
    });
    return { ok: true, feeds };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof AppError && error.code === "unavailable") throw error;
    const ending = explainEnding(tooSlow.aborted ? slow(options.timeoutMs) : toFault(error), mask);
    if (!("error" in ending) || ending.error === null) throw error;
    return { ok: false, ending };
  }
}

async function openAddress(db: Db, source: Source): Promise<string | null> {
  if (source.lookCredentialId === null) return source.lookAddress;
  const secret = await openCredential(db, source.workspaceId, source.lookCredentialId);
  return secret.type === "url" ? secret.url : source.lookAddress;
}

function parseConfig(parsed: { success: true; data: unknown } | { success: false }): unknown {
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", "The source's settings do not fit its adapter. Edit them.");
}

function slow(timeoutMs: number): UpstreamError {
  const message = `No answer within ${timeoutMs / 1000} seconds.`;
  return new UpstreamError("too_slow", message, { retryable: true });
}

/** What an adapter throws without explaining is its fault, not the upstream's. */
function toFault(error: unknown): unknown {
  if (error instanceof UpstreamError || error instanceof AppError) return error;
  return new AdapterFault("discovery failed", { cause: error });
}
