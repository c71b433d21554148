import {
  type Credentials,
  type GuardedFetch,
  type GuardedFetchInit,
  type GuardedResponse,
  UpstreamError,
} from "@/sdk/adapter";
import { maskUrl } from "@/sdk/mask-url";
import { createAddressGuard } from "./http-address";
import { createGuardedAgent, type ResolveHost } from "./http-connect";
import { type HopLimits, type HopRequest, type RequestEvent, requestHop } from "./http-hop";
import {
  createTextMask,
  rememberSample,
  secretsOfCredentials,
  secretsOfUrl,
  takeSample,
} from "./http-secrets";

export type { RequestEvent } from "./http-hop";
export { throwForStatus } from "./http-status";

export type GuardedFetchOptions = {
  /** CIDRs that may be reached although they are private. */
  allowPrivateNetworks: readonly string[];
  /** The one origin exempt from the guard, e.g. the server's own demo feeds. */
  exemptOrigin?: string;
  /** Sent to `credentialOrigin` only, and no more once a redirect left it. */
  credentials?: Credentials;
  /** Where the credentials belong. Default: the origin of the first address asked for. */
  credentialOrigin?: string;
  /** Called once per request made, redirects included. */
  onRequest?(event: RequestEvent): void;
  /** Called before every request with `host[:port]`; what it resolves to is called afterwards. */
  limiter?(host: string): Promise<() => void>;
  now?: () => Date;
  /** Time limits in milliseconds; for tests. */
  timeouts?: Partial<Omit<HopLimits, "maxBytes">>;
  /** Cap on decoded bytes; for tests. */
  maxBytes?: number;
  /** Name look-up; for tests. */
  resolve?: ResolveHost;
};

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_URL_LENGTH = 64 * 1024;
const DEFAULT_LIMITS: HopLimits = {
  connectMs: 10_000,
  /** From the start of a request to its response headers. */
  firstByteMs: 30_000,
  /** All redirects and the whole body; waiting for the limiter does not count. */
  totalMs: 60_000,
  maxBytes: 20 * 1024 * 1024,
};

/**
 * The only way out: http(s) alone, every address checked as it is connected to, redirects followed
 * by ourselves (at most five), bodies decoded and bounded, secrets masked in every message.
 *
 * HTTP statuses are returned (see `throwForStatus`). What fails below HTTP is thrown as
 * UpstreamError: invalid_url, blocked_address, too_many_redirects, too_slow, too_large,
 * unavailable, protocol. An aborted `signal` throws its reason.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const limits: HopLimits = {
    ...DEFAULT_LIMITS,
    ...options.timeouts,
    maxBytes: options.maxBytes ?? DEFAULT_LIMITS.maxBytes,
  };
  const agent = createGuardedAgent({
    guard: createAddressGuard(options.allowPrivateNetworks),
    exemptOrigin: options.exemptOrigin,
    connectMs: limits.connectMs,
    resolve: options.resolve,
  });
  let credentialOrigin = options.credentialOrigin;

  return async (input, init = {}) => {
    const start = parseTarget(String(input));
    const credentials = credentialsFor(start, options.credentials);
    credentialOrigin ??= start.origin;
    const mayAuthenticate = hasUserinfo(start) || start.origin === credentialOrigin;
    const request = firstRequest(
      stripUserinfo(start),
      init,
      mayAuthenticate ? credentials : { type: "none" },
    );
    const mask = createTextMask([...secretsOfCredentials(credentials), ...secretsOfUrl(start)]);

    let usedMs = 0;
    let allPermanent = true;
    for (let redirects = 0; ; redirects++) {
      const hop = await requestHop(request, {
        agent,
        mask,
        limits: {
          ...limits,
          maxBytes: Math.min(limits.maxBytes, init.maxBytes ?? limits.maxBytes),
        },
        remainingMs: Math.max(1, limits.totalMs - usedMs),
        isRedirect: (status, headers) => REDIRECTS.has(status) && headers.location !== undefined,
        signal: init.signal,
        onRequest: options.onRequest,
        limiter: options.limiter,
      });
      usedMs += hop.ms;

      const location = REDIRECTS.has(hop.status) ? hop.headers.location : undefined;
      if (location === undefined) {
        const response: GuardedResponse = {
          status: hop.status,
          headers: hop.headers,
          body: hop.body,
          url: request.url.href,
          movedPermanently: redirects > 0 && allPermanent,
        };
        rememberSample(response, takeSample(hop.body, mask));
        return response;
      }
      if (redirects === MAX_REDIRECTS) throw tooManyRedirects(start);
      allPermanent &&= hop.status === 301 || hop.status === 308;
      followRedirect(request, hop.status, location);
    }
  };
}

function firstRequest(url: URL, init: GuardedFetchInit, credentials: Credentials): HopRequest {
  const headers: Record<string, string> = {
    "user-agent": "Tidemark/0.1 (self-hosted feed reader)",
    accept: "*/*",
    "accept-encoding": "gzip, br",
  };
  for (const [name, value] of Object.entries(init.headers ?? {})) headers[name.toLowerCase()] = value;
  const authorization = authorizationOf(credentials);
  if (authorization) headers.authorization ??= authorization;
  // An adapter whose upstream wants the credential elsewhere leaves the header empty.
  if (headers.authorization === "") delete headers.authorization;
  return { url, method: init.method ?? "GET", headers, body: init.body };
}

function authorizationOf(credentials: Credentials): string | null {
  switch (credentials.type) {
    case "basic":
      return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
    case "bearer":
      return `Bearer ${credentials.token}`;
    case "none":
      return null;
  }
}

/** Userinfo in the address is the more specific word: it wins over the source's credentials. */
function credentialsFor(url: URL, given: Credentials | undefined): Credentials {
  if (!hasUserinfo(url)) return given ?? { type: "none" };
  return { type: "basic", username: decodePercent(url.username), password: decodePercent(url.password) };
}

/** Turns `request` into the next hop's, as browsers do, minus anything secret when the origin changes. */
function followRedirect(request: HopRequest, status: number, location: string): void {
  const from = request.url;
  let next: URL;
  try {
    // Header bytes arrive as Latin-1; addresses in them are UTF-8.
    next = new URL(Buffer.from(location, "latin1").toString("utf8"), from);
  } catch {
    throw new UpstreamError("protocol", `${from.host} redirects to something that is not an address.`, {
      retryable: true,
    });
  }
  requireHttp(
    next,
    `${from.host} redirects to a ${next.protocol} address; only http and https are followed.`,
  );
  request.url = stripUserinfo(next);
  if (next.origin !== from.origin) {
    for (const name of ["authorization", "cookie", "proxy-authorization"]) delete request.headers[name];
  }
  if (request.method === "POST" && status !== 307 && status !== 308) {
    request.method = "GET";
    request.body = undefined;
    delete request.headers["content-type"];
  }
}

function parseTarget(input: string): URL {
  if (input.length > MAX_URL_LENGTH) {
    throw new UpstreamError("invalid_url", "The address is too long.", { retryable: false });
  }
  let url: URL;
  try {
    url = new URL(input);
  } catch {
    throw new UpstreamError("invalid_url", `"${maskUrl(input)}" is not a web address.`, { retryable: false });
  }
  requireHttp(url, `Only http and https addresses can be fetched, not ${url.protocol}`);
  return url;
}

function requireHttp(url: URL, message: string): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UpstreamError("invalid_url", message, { retryable: false });
  }
}

function hasUserinfo(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}

function stripUserinfo(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  bare.hash = "";
  return bare;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tooManyRedirects(url: URL): UpstreamError {
  return new UpstreamError(
    "too_many_redirects",
    `${maskUrl(url.href)} redirects more than ${MAX_REDIRECTS} times, probably in a circle.`,
    { retryable: true },
  );
}
