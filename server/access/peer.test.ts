import { afterEach, expect, it, vi } from "vitest";
import { clientAddress, isForeignPage, isLocalRequest, requestOrigin } from "./peer";

const settings = vi.hoisted(() => ({ TIDEMARK_URL: undefined as string | undefined, PORT: 3000 }));
vi.mock("@/server/env", () => ({ env: () => settings }));
afterEach(() => {
  settings.TIDEMARK_URL = undefined;
});

/** What a route handler sees of a visit from this machine: serve.mjs's header and Next's own. */
function local(more: Record<string, string | undefined> = {}) {
  const all = {
    host: "localhost:3000",
    "x-tidemark-peer": "127.0.0.1",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": "localhost:3000",
    "x-forwarded-proto": "http",
    ...more,
  };
  return new Headers(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

it.each([
  ["a browser", { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" }],
  ["curl", {}],
  [
    "IPv6",
    {
      "x-tidemark-peer": "::1",
      "x-forwarded-for": "::1",
      host: "[::1]:3000",
      "x-forwarded-host": "[::1]:3000",
    },
  ],
  ["IPv4 written as IPv6", { "x-tidemark-peer": "::ffff:127.0.0.1", "x-forwarded-for": "::ffff:127.0.0.1" }],
])("takes %s on this machine for local", (_, headers) => {
  expect(isLocalRequest(local(headers))).toBe(true);
});

it.each([
  ["an unknown peer", { "x-tidemark-peer": undefined }],
  ["another machine", { "x-tidemark-peer": "192.168.1.9", "x-forwarded-for": "192.168.1.9" }],
  ["another machine that claims to be this one", { "x-tidemark-peer": "192.168.1.9" }],
  ["a proxy's client", { "x-forwarded-for": "203.0.113.5" }],
  ["a proxy's client that claims an address", { "x-forwarded-for": "127.0.0.1, 203.0.113.5" }],
  ["a proxy that says Forwarded", { forwarded: "for=203.0.113.5" }],
  ["a proxy that says X-Real-IP", { "x-real-ip": "203.0.113.5" }],
  ["a proxy that says Via", { via: "1.1 edge" }],
  ["a public name", { host: "docs.example.org", "x-forwarded-host": "docs.example.org" }],
  [
    "a name that was rebound to this machine",
    { host: "evil.example:3000", "x-forwarded-host": "evil.example:3000" },
  ],
  ["a proxy that keeps the name for itself", { "x-forwarded-host": "docs.example.org" }],
  ["another site's page", { origin: "https://evil.example" }],
  ["another local server's page", { origin: "http://localhost:4000", "sec-fetch-site": "same-site" }],
  ["a sandboxed frame", { origin: "null" }],
  ["a browser that says cross-site", { "sec-fetch-site": "cross-site" }],
])("does not take %s for local", (_, headers) => {
  expect(isLocalRequest(local(headers))).toBe(false);
});

it("takes nobody for local on a server with a public name", () => {
  settings.TIDEMARK_URL = "https://docs.example.org";
  expect(isLocalRequest(local())).toBe(false);
  settings.TIDEMARK_URL = "http://localhost:3000";
  expect(isLocalRequest(local())).toBe(true);
});

it("names the origin by setting, else by request, and survives nonsense", () => {
  expect(requestOrigin(local())).toBe("http://localhost:3000");
  expect(requestOrigin(local({ "x-forwarded-proto": "https", "x-forwarded-host": "a.example" }))).toBe(
    "https://a.example",
  );
  expect(requestOrigin(new Headers({ host: "127.0.0.1:4100" }))).toBe("http://127.0.0.1:4100");
  expect(requestOrigin(new Headers({ host: "a b/../" }))).toBe("http://localhost:3000");
  settings.TIDEMARK_URL = "https://docs.example.org/tide";
  expect(requestOrigin(local())).toBe("https://docs.example.org");
});

it("knows a page of another origin", () => {
  expect(isForeignPage(local({ origin: "http://localhost:3000" }))).toBe(false);
  expect(isForeignPage(local())).toBe(false);
  expect(isForeignPage(local({ origin: "http://localhost:3001" }))).toBe(true);
  const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  expect(isForeignPage(local(link))).toBe(false);
  expect(isForeignPage(local({ ...link, origin: "https://evil.example" }))).toBe(true);
  expect(isForeignPage(local({ "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }))).toBe(true);
  settings.TIDEMARK_URL = "https://docs.example.org";
  expect(isForeignPage(local({ origin: "https://docs.example.org" }))).toBe(false);
});

it.each([
  ["192.0.2.7", "10.0.0.1", "192.0.2.7"], // a peer that is not this machine is no proxy we know
  ["127.0.0.1", "198.51.100.1, 203.0.113.5", "203.0.113.5"],
  ["127.0.0.1", "127.0.0.1", "127.0.0.1"],
  ["127.0.0.1", "nonsense", "127.0.0.1"],
  ["2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::1", "", "2001:db8:1:2::/64"],
  ["::1", "", "127.0.0.1"],
])("counts peer %s behind %j as %s", (peer, forwardedFor, expected) => {
  expect(clientAddress(new Headers({ "x-tidemark-peer": peer, "x-forwarded-for": forwardedFor }))).toBe(
    expected,
  );
});

it("counts all of an unknown peer as one", () => {
  expect(clientAddress(new Headers({ "x-forwarded-for": "203.0.113.5" }))).toBe("unknown");
});
