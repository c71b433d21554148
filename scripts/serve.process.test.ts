import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "@/test/kills/world";

let world: World;
beforeAll(async () => {
  world = await createWorld({ servers: 1, env: { TIDEMARK_SCHEDULER: "off" } });
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
