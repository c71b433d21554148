import { afterAll, beforeAll, expect, it } from "vitest";
import { SCOPES } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import type { ServerProcess } from "./server-process";
import { createWorld, type World } from "./world";

const PER_SECOND = 5;
const BURST = 50;

let world: World;
beforeAll(async () => {
  world = await createWorld({
    servers: 2,
    env: { TIDEMARK_SCHEDULER: "off", TIDEMARK_RATE_LIMIT: String(PER_SECOND) },
  });
});
afterAll(() => world?.end());

const ask = (
  server: ServerProcess | undefined,
  token: string,
  init: RequestInit = {},
  path = "/api/v1/adapters",
) =>
  fetch(`${server?.url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });

it("refuses within a second in one process a token that was revoked in the other", async () => {
  const [one, other] = world.servers;
  const admin = await createToken(world.db, world.caller, { name: "admin", scopes: SCOPES });
  const lost = await createToken(world.db, world.caller, {
    name: "lost",
    scopes: ["sources:read", "changes:read"],
  });
  for (const server of world.servers) expect((await ask(server, lost.token)).status).toBe(200);
  const waiting = ask(other, lost.token, {}, "/api/v1/changes?cursor=now&wait=50");

  const revoked = await ask(
    one,
    admin.token,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ json: { tokenId: lost.id } }),
    },
    "/api/trpc/tokens.revoke",
  );
  expect(revoked.status, await revoked.text()).toBe(200);
  const revokedAt = performance.now();

  expect((await ask(one, lost.token)).status, "at once where it was revoked").toBe(401);
  let status = 200;
  while (status === 200) status = (await ask(other, lost.token)).status;
  // The rate of this test is low on purpose; whoever is refused for it is not yet refused for the token.
  while (status === 429) status = (await ask(other, lost.token)).status;
  expect(status).toBe(401);
  expect(performance.now() - revokedAt).toBeLessThan(1000);
  expect((await waiting).status, "a request that waited").toBe(401);
  expect(performance.now() - revokedAt).toBeLessThan(1500);
});

it("lets no more through two processes than one bucket holds", async () => {
  const { token } = await createToken(world.db, world.caller, { name: "eager", scopes: ["sources:read"] });
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 2 * BURST }, (_, i) =>
      ask(world.servers[i % 2], token).then(({ status }) => status),
    ),
  );
  const refilled = ((performance.now() - startedAt) / 1000) * PER_SECOND;
  const passed = answers.filter((status) => status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(BURST - 4);
  expect(passed).toBeLessThanOrEqual(BURST + refilled + 1);
  expect(answers.filter((status) => status === 429)).toHaveLength(2 * BURST - passed);
});
