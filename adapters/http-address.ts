import ipaddr from "ipaddr.js";

/** Decides whether an address may be connected to. */
export type AddressGuard = (address: string) => boolean;

/** Public by number, yet served by the cloud's own metadata and control service. */
const METADATA_ADDRESSES = new Set(["168.63.129.16", "100.100.100.200"]);

/**
 * Builds the guard: public unicast addresses pass, everything else only when a listed network
 * contains it.
 *
 * @param allowed CIDRs (`10.0.0.0/8`, `fd00::/8`) or single addresses.
 * @throws Error naming the entry that is no network.
 */
export function createAddressGuard(allowed: readonly string[]): AddressGuard {
  const networks = allowed.filter((entry) => entry.trim() !== "").map(parseNetwork);
  return (address) => {
    const parsed = parseAddress(address);
    if (!parsed) return false;
    const listed = networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
    return listed || isPublic(parsed);
  };
}

function parseNetwork(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const text = entry.trim();
  try {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch (cause) {
    throw new Error(
      `TIDEMARK_ALLOW_PRIVATE_NETWORKS: "${text}" is not a network. Write CIDRs separated by commas, for example 192.168.0.0/16,fd00::/8.`,
      { cause },
    );
  }
}

/** IPv4 inside IPv6 (`::ffff:127.0.0.1`) is judged as the IPv4 address it reaches. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) {
    return address.range() === "unicast" && !METADATA_ADDRESSES.has(address.toString());
  }
  const bytes = address.toByteArray();
  // NAT64: hosts with IPv6 only reach every IPv4 site through this prefix, so the embedded address
  // decides. Its local-use sibling 64:ff9b:1::/48 fails the test below.
  if (address.match(ipaddr.parse("64:ff9b::") as ipaddr.IPv6, 96)) {
    return isPublic(new ipaddr.IPv4(bytes.slice(12)));
  }
  // Only 2000::/3 is handed out for the internet; 6to4, Teredo and test ranges inside it have names.
  return address.range() === "unicast" && ((bytes[0] ?? 0) & 0xe0) === 0x20;
}
