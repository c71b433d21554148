import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import type { AddressGuard } from "./http-address";

/** The guard refused the address that a connection would have reached. */
export class BlockedAddress extends Error {
  override readonly name = "BlockedAddress";
}

export class ConnectTimeout extends Error {
  override readonly name = "ConnectTimeout";
}

/** Resolves a name to all its addresses. Replaced in tests. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

type Connector = ReturnType<typeof buildConnector>;
type ConnectorOptions = Parameters<Connector>[0];

/** Response headers past this size end the request; the default of 16 KiB is too small for some CDNs. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * A connection pool in which no socket reaches an address the guard refuses.
 *
 * The check happens inside the connection's own look-up and again on the connected socket, so a
 * name that resolves differently the second time gains nothing.
 */
export function createGuardedAgent(options: {
  guard: AddressGuard;
  /** `http://127.0.0.1:3000`: the one origin that needs no permission. */
  exemptOrigin: string | undefined;
  connectMs: number;
  resolve: ResolveHost | undefined;
}): Agent {
  const { guard, exemptOrigin, connectMs, resolve = resolveBySystem } = options;
  const connectFreely = buildConnector({ timeout: 0 });
  const connectGuarded = buildConnector({ timeout: 0, lookup: guardedLookup(guard, resolve) });

  const connect: Connector = (target, callback) => {
    const exempt = originOf(target) === exemptOrigin;
    const literal = target.hostname.replace(/^\[|\]$/g, "");
    // A literal address never reaches the look-up.
    if (!exempt && isIP(literal) && !guard(literal)) {
      callback(new BlockedAddress(), null);
      return;
    }
    const finish = once<Parameters<typeof callback>>((...result) => callback(...result));
    // undici's own timer has a resolution of about a second; ours is exact. The socket that comes
    // too late is closed.
    const timer = setTimeout(() => finish(new ConnectTimeout(), null), connectMs);
    (exempt ? connectFreely : connectGuarded)(target, (error, socket) => {
      clearTimeout(timer);
      if (socket && !exempt && !guard(socket.remoteAddress ?? "")) {
        socket.destroy();
        finish(new BlockedAddress(), null);
      } else if (error || !socket) {
        finish(error ?? new Error("no socket"), null);
      } else if (!finish(null, socket)) {
        socket.destroy();
      }
    });
  };

  return new Agent({
    connect,
    connections: 4,
    keepAliveTimeout: 1000,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0, // http.ts keeps the time, in one place
    bodyTimeout: 0,
  });
}

const resolveBySystem: ResolveHost = (hostname) =>
  new Promise((done, fail) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });

/** Hands the socket only addresses that pass: one public address among private ones is enough. */
function guardedLookup(guard: AddressGuard, resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const family = options.family === 4 || options.family === 6 ? options.family : 0;
        const passed = addresses.filter((a) => guard(a.address) && (family === 0 || a.family === family));
        const [first] = passed;
        if (!first) callback(new BlockedAddress(), "");
        else if (options.all) callback(null, passed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

function originOf(target: ConnectorOptions): string {
  return new URL(`${target.protocol}//${target.host ?? target.hostname}`).origin;
}

/** @returns a function that runs `action` on its first call only, and tells whether it did. */
function once<Args extends unknown[]>(action: (...args: Args) => void): (...args: Args) => boolean {
  let done = false;
  return (...args) => {
    if (done) return false;
    done = true;
    action(...args);
    return true;
  };
}
