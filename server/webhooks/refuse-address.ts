import { isIP } from "node:net";
import { createAddressGuard } from "@/adapters/http-address";
import { MASK, maskUrl } from "@/sdk/mask-url";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";

/**
 * Says at once what would fail at every delivery: an address inside a private network, or one copied from
 * where its secrets are masked. Names are looked up when they are connected to.
 *
 * @throws AppError invalid_request
 */
export function refuseAddress(typed: string): void {
  const { hostname } = new URL(typed);
  const literal = hostname.replace(/^\[|\]$/g, "");
  const isLocalName = literal === "localhost" || literal.endsWith(".localhost");
  const allowed = env().TIDEMARK_ALLOW_PRIVATE_NETWORKS.split(",");
  const address = isLocalName ? "127.0.0.1" : literal;
  if (isIP(address) && !createAddressGuard(allowed)(address)) {
    throw refused(
      "blocked_address",
      `${hostname} is inside a private or reserved network, to which nothing is sent. If that is intended, whoever runs this server can list the network in TIDEMARK_ALLOW_PRIVATE_NETWORKS.`,
    );
  }
  if (typed.includes(MASK) && maskUrl(typed) === typed) {
    throw refused("masked", `Parts of this address are masked (${MASK}). Enter it whole, with its secrets.`);
  }
}

function refused(code: string, message: string): AppError {
  return new AppError("invalid_request", message, { fields: [{ path: "url", code, message }] });
}
