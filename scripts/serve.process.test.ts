import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createToken } from "@/server/access/tokens";
import { createWorld, type World } from "@/test/kills/world";

let world: World;
beforeAll(async () => {
  world = await createWorld({ servers: 1, env: { TIDEMARK_SCHEDULER: "off", LOG_LEVEL: "debug" } });
});
afterAll(() => world?.end());

/** Sends bytes as they are, and reads until the server closes. */
async function exchange(...lines: string[]): Promise<string> {
  const { port } = new URL(world.servers[0]?.url ?? "");
  const socket = connect(Number(port), "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk) => (answer += chunk));
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "close");
  return answer;
}

it("answers a request that offers HTTP/2 as if it had not", async () => {
  const offer = ["Host: localhost", "Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c"];
  // The first page request is when Next would begin to listen for upgrades.
  for (const path of ["/api/health", "/api/health", "/api/v1/openapi.json"]) {
    expect(await exchange(`GET ${path} HTTP/1.1`, ...offer), path).toMatch(/^HTTP\/1\.1 200 /);
  }
});

it("takes a whole address as its target, and no other host's", async () => {
  const rest = ["Host: localhost", "Connection: close"];
  const whole = await exchange("GET http://elsewhere.example/api/v1/openapi.json HTTP/1.1", ...rest);
  expect(whole).toMatch(/^HTTP\/1\.1 200 /);
});

it("answers requests that no page expects without an error of its own", async () => {
  for (const line of ["OPTIONS * HTTP/1.1", "TRACE /sign-in HTTP/1.1", "PROPFIND / HTTP/1.1"]) {
    const answer = await exchange(line, "Host: localhost", "Connection: close");
    expect(answer, line).not.toMatch(/^HTTP\/1\.1 5/);
  }
});

it("names every request in its answer and in the log, by the caller's own name or a new one", async () => {
  const url = world.servers[0]?.url ?? "";
  const addresses = [
    "/sign-in",
    "/docs",
    "/nowhere",
    "/api/nowhere",
    "/api/health",
    "/api/metrics",
    "/api/graphql",
    "/api/trpc/sources.list",
    "/api/trpc/nothing.there",
    "/api/auth/csrf",
    "/api/export/feeds",
    "/api/cron/sync",
    "/api/v1/openapi.json",
    "/api/v1/sources",
    "/api/v1/nowhere",
  ];
  const logged = () => (world.servers[0]?.output() ?? "").split("\n");
  for (const [index, address] of addresses.entries()) {
    const requestId = `mine-${index}`;
    const answer = await fetch(url + address, { headers: { "x-request-id": requestId }, redirect: "manual" });
    await answer.text();
    expect(answer.headers.get("x-request-id"), address).toBe(requestId);
    const unnamed = await fetch(url + address, { redirect: "manual" });
    await unnamed.text();
    expect(unnamed.headers.get("x-request-id"), address).toMatch(/^[\w.:-]{8,}$/);
    // Pages and addresses that there are not are Next's; what it answers is in no log.
    if (!address.startsWith("/api/") || address === "/api/nowhere") continue;
    const isLogged = () => logged().some((line) => line.includes(`"requestId":"${requestId}"`));
    await expect.poll(isLogged, { message: address }).toBe(true);
  }
});

it("answers HEAD once, which REST answers by itself", async () => {
  const { token } = await createToken(world.db, world.caller, { name: "head", scopes: ["sources:read"] });
  const headers = { authorization: `Bearer ${token}` };
  const head = await fetch(`${world.servers[0]?.url}/api/v1/sources`, { method: "HEAD", headers });
  expect(head.status).toBe(200);
  expect(world.servers[0]?.output()).not.toContain("ERR_HTTP_HEADERS_SENT");
});

it("refuses a token in the address, by every way in, although the header is good", async () => {
  const { token } = await createToken(world.db, world.caller, {
    name: "leaked",
    scopes: ["admin", "sources:read"],
  });
  const headers = { authorization: `Bearer ${token}` };
  const ways = [
    "/api/v1/sources",
    "/api/trpc/sources.list",
    "/api/graphql",
    "/api/export/feeds",
    "/api/metrics",
  ];
  for (const way of ways) {
    const url = `${world.servers[0]?.url}${way}?access_token=${token}`;
    const refused = await fetch(url, { headers, method: way === "/api/graphql" ? "POST" : "GET" });
    expect(refused.status, way).toBe(401);
    expect(await refused.text(), way).toContain("Tokens in a URL are refused");
  }
  const typed = encodeURIComponent(JSON.stringify({ json: { q: "tdm_1_something" } }));
  const search = await fetch(`${world.servers[0]?.url}/api/trpc/sources.list?input=${typed}`, { headers });
  expect(search.status, "what a person searches for is no token").toBe(200);
});
