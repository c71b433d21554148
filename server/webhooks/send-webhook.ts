import { type Agent, request as undiciRequest } from "undici";
import { createAddressGuard } from "@/adapters/http-address";
import { createGuardedAgent } from "@/adapters/http-connect";
import { explainFailure, TimeLimit } from "@/adapters/http-errors";
import { createTextMask, type MaskText, secretsOfCredentials, secretsOfUrl } from "@/adapters/http-secrets";
import { parseRetryAfter } from "@/adapters/retry-after";
import { type Attempt, MAX_KEPT_BODY } from "./delivery-shape";
import { type SigningSecret, signDelivery } from "./sign-delivery";

/** From the look-up of the name to the last byte that is read. */
const TIMEOUT_MS = 15_000;
const CONNECT_MS = 10_000;

export type SendOptions = {
  /** CIDRs that may be reached although they are private. */
  allowPrivateNetworks: readonly string[];
  now?: () => Date;
  /** For tests. */
  timeoutMs?: number;
  /** Ends the request; its reason is thrown. */
  signal?: AbortSignal;
};

export type SentAttempt = { attempt: Attempt; retryAfter: Date | null };

/**
 * Posts one delivery, once: guarded like the fetches of feeds, redirects not followed, the answer read no
 * further than what is kept of it. Whatever comes of it is told, not thrown.
 *
 * @throws the signal's reason.
 */
export async function sendWebhook(
  {
    id,
    url: typed,
    secrets,
    body,
  }: { id: string; url: string; secrets: readonly SigningSecret[]; body: string },
  { allowPrivateNetworks, now = () => new Date(), timeoutMs = TIMEOUT_MS, signal }: SendOptions,
): Promise<SentAttempt> {
  const url = new URL(typed);
  const credentials = credentialsOf(url);
  const mask = createTextMask([
    ...secretsOfCredentials(credentials),
    ...secretsOfUrl(url),
    ...secrets.map(({ secret }) => secret),
  ]);
  const at = now();
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": "Tidemark/0.1 (webhooks)",
    accept: "*/*",
    ...(credentials.type === "basic" && {
      authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`,
    }),
    ...signDelivery(secrets, { id, at, body }),
  };
  url.username = "";
  url.password = "";
  url.hash = "";

  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const timer = setTimeout(() => stop.abort(new TimeLimit("total", timeoutMs)), timeoutMs);
  // One agent an attempt: a kept connection that the other end has closed meanwhile would fail the POST,
  // and addresses of one host must not wait for each other's sockets.
  const agent = createGuardedAgent({
    guard: createAddressGuard(allowPrivateNetworks),
    exemptOrigin: undefined,
    connectMs: Math.min(CONNECT_MS, timeoutMs),
    resolve: undefined,
  });
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  try {
    const answer = await post(agent, url, { headers, body, signal: stop.signal });
    const { status, response } = { status: answer.status, response: toKept(answer, mask) };
    return {
      attempt: { at: at.toISOString(), ms: elapsed(), status, error: judge(status, url), response },
      retryAfter: parseRetryAfter(answer.retryAfter, now()),
    };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    const { code, message } = explainFailure(reason, url, { maxBytes: MAX_KEPT_BODY, connectMs: CONNECT_MS });
    const told = mask(message)
      .replace(" It will be tried again.", "")
      .replace("not fetched", "not connected to");
    return {
      attempt: {
        at: at.toISOString(),
        ms: elapsed(),
        status: null,
        error: { code, message: told },
        response: null,
      },
      retryAfter: null,
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    void agent.destroy().catch(() => {});
  }
}

type Answer = {
  status: number;
  contentType: string | null;
  retryAfter: string | undefined;
  body: Buffer;
  isCut: boolean;
};

async function post(
  agent: Agent,
  url: URL,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Answer> {
  const response = await undiciRequest(url, { dispatcher: agent, method: "POST", ...request });
  const status = response.statusCode;
  const kept: Buffer[] = [];
  let bytes = 0;
  try {
    // One byte more than is kept says whether there was more.
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      kept.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_KEPT_BODY) break;
    }
  } catch (error) {
    // The receiver has answered; how its body ends does not change what it said. Unless we gave up.
    if (request.signal.aborted && !isSuccess(status)) throw error;
  } finally {
    response.body.on("error", () => {}).destroy();
  }
  return {
    status,
    contentType: one(response.headers["content-type"]) ?? null,
    retryAfter: one(response.headers["retry-after"]),
    body: Buffer.concat(kept).subarray(0, MAX_KEPT_BODY),
    isCut: bytes > MAX_KEPT_BODY,
  };
}

function toKept({ status, contentType, body, isCut }: Answer, mask: MaskText): Attempt["response"] {
  // What a redirect points at is nobody's business here.
  if (status >= 300 && status < 400) return { contentType: null, body: "", isCut: false };
  const text = new TextDecoder().decode(body).replaceAll("\0", "");
  return { contentType: contentType?.slice(0, 100) ?? null, body: mask(text), isCut };
}

function judge(status: number, { host }: URL): Attempt["error"] {
  if (isSuccess(status)) return null;
  if (status === 410) {
    return { code: "gone", message: `${host} answered 410 (gone): it wants no more deliveries.` };
  }
  if (status >= 300 && status < 400) {
    return {
      code: "redirect",
      message: `${host} answered ${status} (a redirect). Redirects are not followed; enter the final address.`,
    };
  }
  return { code: "status", message: `${host} answered ${status}.` };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function credentialsOf(url: URL) {
  if (url.username === "" && url.password === "") return { type: "none" } as const;
  return { type: "basic", username: decode(url.username), password: decode(url.password) } as const;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
