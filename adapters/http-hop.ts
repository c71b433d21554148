import { type Agent, request as undiciRequest } from "undici";
import { maskUrl } from "@/sdk/mask-url";
import { readBody } from "./http-body";
import { explainFailure, TimeLimit } from "./http-errors";
import { type MaskText, takeSample } from "./http-secrets";

/** One request as it went over the wire. */
export type RequestEvent = {
  /** Secrets masked. */
  url: string;
  method: string;
  /** Null when no answer came. */
  status: number | null;
  /** From sending to the last byte read. */
  ms: number;
  /** Bytes of body received, before decoding. */
  bytes: number;
  error?: string;
  /** First 2 KB of a failed answer (status 400 and up), masked; never of a blocked address. */
  bodySample?: string;
};

export type HopRequest = {
  url: URL;
  method: "GET" | "HEAD" | "POST";
  headers: Record<string, string>;
  body: string | undefined;
};

export type HopLimits = { connectMs: number; firstByteMs: number; totalMs: number; maxBytes: number };

export type HopContext = {
  agent: Agent;
  mask: MaskText;
  limits: HopLimits;
  /** What earlier hops left of `limits.totalMs`. */
  remainingMs: number;
  /** Bodies of redirects are not read. */
  isRedirect(status: number, headers: Record<string, string>): boolean;
  signal: AbortSignal | undefined;
  onRequest: ((event: RequestEvent) => void) | undefined;
  limiter: ((host: string) => Promise<() => void>) | undefined;
};

export type HopResponse = { status: number; headers: Record<string, string>; body: Uint8Array; ms: number };

/** Makes one request without following redirects, within the limits, and reports it. */
export async function requestHop(request: HopRequest, context: HopContext): Promise<HopResponse> {
  const { signal, limiter } = context;
  signal?.throwIfAborted();
  const release = limiter ? await abortable(limiter(request.url.host), signal) : () => {};
  try {
    return await timedRequest(request, context);
  } finally {
    release();
  }
}

async function timedRequest(request: HopRequest, context: HopContext): Promise<HopResponse> {
  const { limits, signal, mask } = context;
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const event: RequestEvent = {
    url: maskUrl(request.url.href),
    method: request.method,
    status: null,
    ms: 0,
    bytes: 0,
  };

  // One controller for the caller's signal and both clocks: whoever is first names the reason.
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const total = abortAfter(stop, new TimeLimit("total", limits.totalMs), context.remainingMs);
  const firstByte = abortAfter(stop, new TimeLimit("first byte", limits.firstByteMs), limits.firstByteMs);
  try {
    const response = await undiciRequest(request.url, {
      dispatcher: context.agent,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: stop.signal,
    });
    clearTimeout(firstByte);
    event.status = response.statusCode;
    const headers = flatten(response.headers);

    let body: Uint8Array = new Uint8Array(0);
    if (context.isRedirect(response.statusCode, headers)) {
      // Draining an endless body costs more than a new connection.
      response.body.on("error", () => {}).destroy();
    } else {
      body = await readBody(response.body, headers["content-encoding"], limits.maxBytes, (count) => {
        event.bytes += count;
      });
      if (response.statusCode >= 400 && body.length > 0) event.bodySample = takeSample(body, mask);
    }
    return { status: response.statusCode, headers, body, ms: elapsed() };
  } catch (error) {
    if (signal?.aborted) {
      event.error = "The run was stopped.";
      throw signal.reason;
    }
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    const failure = explainFailure(reason, request.url, limits);
    event.error = mask(failure.message);
    throw failure;
  } finally {
    clearTimeout(total);
    clearTimeout(firstByte);
    signal?.removeEventListener("abort", onAbort);
    event.ms = elapsed();
    context.onRequest?.(event);
  }
}

function abortAfter(controller: AbortController, reason: TimeLimit, ms: number): NodeJS.Timeout {
  return setTimeout(() => controller.abort(reason), ms);
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

/** Waits for a permit, or for the abort; a permit that comes too late goes straight back. */
async function abortable(permit: Promise<() => void>, signal: AbortSignal | undefined): Promise<() => void> {
  if (!signal) return permit;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([permit, aborted]);
  } catch (error) {
    void permit.then((release) => release()).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
