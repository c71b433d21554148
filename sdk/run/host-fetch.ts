import {
  type Credentials,
  type GuardedFetch,
  type GuardedFetchInit,
  type GuardedResponse,
  UpstreamError,
} from "../adapter.ts";
import { encodeBasic } from "../mask-secrets.ts";
import { readBounded } from "./read-bounded.ts";

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TOTAL_MS = 60_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export type HostFetchOptions = {
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch;
  /** Sent to `credentialOrigin` only. */
  credentials?: Credentials;
  /** Where the credentials belong, such as `https://example.org`. Default: the first address asked for. */
  credentialOrigin?: string | undefined;
  /** For a request with its redirects and the whole body, in milliseconds. Default: a minute. */
  totalMs?: number;
};

/**
 * The host's `fetch` with the limits and errors that adapters count on: http(s) only, at most five
 * redirects, 20 MiB decoded, a minute in all; what fails below HTTP is an UpstreamError. Any HTTP status is
 * returned.
 *
 * Unlike the server's it goes wherever the host goes, private networks included: that is why one runs an
 * adapter on one's own machine.
 */
export function createHostFetch(options: HostFetchOptions = {}): GuardedFetch {
  const { credentials = { type: "none" }, totalMs = TOTAL_MS } = options;
  let { credentialOrigin } = options;
  // Called as a method of our object, a browser's fetch refuses ("Illegal invocation").
  const send: typeof globalThis.fetch = (...args) => (options.fetch ?? globalThis.fetch)(...args);

  return async (input, init = {}) => {
    const { url: start, userinfo } = parseTarget(String(input));
    credentialOrigin ??= start.origin;
    const secret = userinfo ?? (start.origin === credentialOrigin ? credentials : { type: "none" as const });
    const limit = new AbortController();
    const abort = () => limit.abort(init.signal?.reason);
    const timer = setTimeout(() => limit.abort(tooSlow(start.host, totalMs)), totalMs);
    try {
      if (init.signal?.aborted) abort();
      limit.signal.throwIfAborted();
      init.signal?.addEventListener("abort", abort, { once: true });
      return await follow(send, start, init, secret, limit.signal);
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      throw error instanceof UpstreamError ? error : unreachable(start.host, error);
    } finally {
      clearTimeout(timer);
      init.signal?.removeEventListener("abort", abort);
    }
  };
}

async function follow(
  send: typeof globalThis.fetch,
  start: URL,
  init: GuardedFetchInit,
  secret: Credentials,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  let url = start;
  let { method = "GET", body } = init;
  let movedPermanently = true;
  let hasLeft = false;
  for (let redirects = 0; ; redirects++) {
    const headers = new Headers(init.headers);
    // Dropped for good where the origin changes, whatever the next one redirects to.
    hasLeft ||= url.origin !== start.origin;
    if (hasLeft) {
      secret = { type: "none" };
      headers.delete("authorization");
      headers.delete("cookie");
    }
    if (secret.type === "basic") headers.set("authorization", `Basic ${encodeBasic(secret)}`);
    if (secret.type === "bearer") headers.set("authorization", `Bearer ${secret.token}`);
    const response = await send(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal,
      redirect: "manual",
    });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) {
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await readBounded(response, Math.min(init.maxBytes ?? MAX_BYTES, MAX_BYTES), url.host),
        url: url.href,
        movedPermanently: redirects > 0 && movedPermanently,
      };
    }
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) {
      const message = `${start.host} redirects more than ${MAX_REDIRECTS} times. Use the final address.`;
      throw new UpstreamError("too_many_redirects", message, { retryable: false });
    }
    movedPermanently &&= response.status === 301 || response.status === 308;
    url = parseTarget(new URL(location, url).href).url;
    // As browsers do: what was posted is fetched at the new place, unless told to post again.
    if (method === "POST" && response.status <= 303) {
      method = "GET";
      body = undefined;
    }
  }
}

/** fetch itself refuses addresses with a password in them, with an error that quotes it. */
function parseTarget(input: string): { url: URL; userinfo: Credentials | null } {
  if (!URL.canParse(input)) {
    throw new UpstreamError("invalid_url", "This is not an address.", { retryable: false });
  }
  const url = new URL(input);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const message = `Only http and https addresses are fetched, not ${url.protocol}`;
    throw new UpstreamError("invalid_url", message, { retryable: false });
  }
  const { username, password } = url;
  url.username = "";
  url.password = "";
  url.hash = "";
  const hasUserinfo = username !== "" || password !== "";
  return {
    url,
    userinfo: hasUserinfo ? { type: "basic", username: decode(username), password: decode(password) } : null,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray "%" is meant as it stands
  }
}

function tooSlow(host: string, limitMs: number): UpstreamError {
  const message = `${host} did not finish its answer within ${Math.round(limitMs / 1000)} s. It will be tried again.`;
  return new UpstreamError("too_slow", message, { retryable: true });
}

function unreachable(host: string, error: unknown): UpstreamError {
  // undici's "fetch failed" says nothing; its cause has a code.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  const message = `${host} could not be reached${code && ` (${code})`}. It will be tried again.`;
  return new UpstreamError(
    "unavailable",
    message,
    { retryable: true, ...(code && { detail: code }) },
    { cause: error },
  );
}
