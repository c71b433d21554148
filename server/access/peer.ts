import ipaddr from "ipaddr.js";
import { env } from "@/server/env";

/**
 * Set by scripts/serve.mjs to the socket's remote address on every request, after deleting whatever
 * the client sent under this name: route handlers cannot see the socket.
 */
export const PEER_HEADER = "x-tidemark-peer";

type HeaderReader = { get(name: string): string | null };

// `x-forwarded-for`, `-host` and `-proto` are not here: Next fills them in itself, so their being
// there says nothing; their content is looked at instead.
const PROXY_HEADERS = ["forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-client-ip"];

/** The origin people use: TIDEMARK_URL, else what the request names. No trailing slash. */
export function requestOrigin(headers: HeaderReader): string {
  const { TIDEMARK_URL, PORT } = env();
  if (TIDEMARK_URL) return new URL(TIDEMARK_URL).origin;
  const protocol = first(headers.get("x-forwarded-proto")) === "https" ? "https" : "http";
  const host = first(headers.get("x-forwarded-host")) ?? headers.get("host") ?? `localhost:${PORT}`;
  try {
    return new URL(`${protocol}://${host}`).origin;
  } catch {
    return `http://localhost:${PORT}`;
  }
}

/**
 * Does the request come from a person at this very machine? Decides whether the first owner needs
 * the set-up code, so every doubt counts against it: an unknown peer, a proxy in between, a name
 * that is not the machine's own (DNS rebinding), a page of another site behind the request.
 */
export function isLocalRequest(headers: HeaderReader): boolean {
  const peer = headers.get(PEER_HEADER);
  if (!peer || !isLoopback(peer)) return false;
  if (PROXY_HEADERS.some((name) => headers.get(name) !== null)) return false;
  const forwardedFor = (headers.get("x-forwarded-for") ?? peer).split(",").map((entry) => entry.trim());
  if (!forwardedFor.every(isLoopback)) return false;

  const host = headers.get("host") ?? "";
  if (!isLoopbackHost(host)) return false;
  if ((headers.get("x-forwarded-host") ?? host) !== host) return false;
  // A server with a public name is meant for others, and a proxy may hide that it is one.
  const { TIDEMARK_URL } = env();
  if (TIDEMARK_URL && !isLoopbackHost(new URL(TIDEMARK_URL).host)) return false;
  return !isForeignPage(headers);
}

/**
 * True when a browser says that a page of another origin made this request. Following a link to a
 * page here does not count: the other page learns nothing from it. A form sent from there does,
 * because it carries an Origin.
 */
export function isForeignPage(headers: HeaderReader): boolean {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null || site === "same-origin" || site === "none";
  if (!isOwn && headers.get("sec-fetch-mode") !== "navigate") return true;
  const origin = headers.get("origin");
  if (origin === null) return false;
  try {
    const { host } = new URL(origin);
    return host !== headers.get("host") && host !== new URL(requestOrigin(headers)).host;
  } catch {
    return true; // `Origin: null`: a sandboxed frame or a redirect between sites
  }
}

/**
 * The address that sign-in attempts count against. Behind a proxy on this machine it is the entry
 * that proxy appended, the last one; earlier entries are the client's own claims.
 */
export function clientAddress(headers: HeaderReader): string {
  const peer = headers.get(PEER_HEADER);
  if (!peer) return "unknown";
  if (!isLoopback(peer)) return normalise(peer);
  const last = (headers.get("x-forwarded-for") ?? "").split(",").at(-1)?.trim();
  return normalise(last && ipaddr.isValid(last) ? last : peer);
}

function normalise(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  // One customer has a /64; counting single addresses would hand them 2^64 fresh starts.
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return parsed.range() === "loopback" ? "127.0.0.1" : `${parts.join(":")}::/64`;
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

function isLoopbackHost(host: string): boolean {
  try {
    const { hostname } = new URL(`http://${host}`);
    const bare = hostname.replace(/^\[|\]$/g, "");
    return bare === "localhost" || bare.endsWith(".localhost") || isLoopback(bare);
  } catch {
    return false;
  }
}

function first(list: string | null): string | null {
  return list?.split(",")[0]?.trim() || null;
}
