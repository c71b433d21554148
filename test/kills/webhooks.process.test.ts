import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createToken } from "@/server/access/tokens";
import { createFeed } from "../factories";
import { waitUntil } from "../wait-until";
import { says, useReceiver } from "../webhook-receiver";
import { createRestClient, expectStatus, textOf } from "./rest-client";
import { createWorld, type World } from "./world";

const receiver = useReceiver();
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.end());

/** What the claims of a dead process wait for: it might be slow and not dead. Here nobody waits a minute. */
const letLeasesRunOut = () =>
  world.db.$executeRaw`
    UPDATE webhook_deliveries SET lease_until = clock_timestamp() WHERE lease_until > clock_timestamp()`;

const deliveries = () => world.db.webhookDelivery.findMany({ orderBy: { id: "asc" } });

it("delivers what a killed server had claimed, under the same id, and what it had not got to", async () => {
  const [server] = world.servers;
  const { token } = await createToken(world.db, world.caller, {
    name: "hooks",
    scopes: ["admin", "sources:write"],
  });
  const rest = createRestClient(() => server?.url ?? "", token);
  const hook = { url: receiver.url, events: ["feed.paused"] };
  const { secret } = expectStatus(await rest.send("POST", "/api/v1/webhooks", hook), 201);
  const feeds = [];
  for (const externalKey of ["a", "b", "c"]) {
    feeds.push(await createFeed(world.db, world.caller, { externalKey }));
  }
  // Taken, never answered: the server is killed while it waits. Two are claimed at a time, the third is not.
  receiver.answer(() => {});
  for (const { id } of feeds) expectStatus(await rest.send("POST", `/api/v1/feeds/${id}/pause`), 200);
  await waitUntil(() => receiver.open === 2, "two deliveries are under way");
  await server?.kill();
  const claimed = receiver.received.map(({ headers }) => headers["webhook-id"]).sort();
  const left = await deliveries();
  expect(left.map(({ state, attempts }) => ({ state, attempts }))).toEqual(
    Array(3).fill({ state: "pending", attempts: [] }),
  );
  expect(left.filter(({ leaseUntil }) => leaseUntil && leaseUntil > new Date()).map(({ id }) => id)).toEqual(
    claimed,
  );

  receiver.received.length = 0;
  receiver.answer(says(204));
  await server?.restart();
  await letLeasesRunOut();
  await waitUntil(
    async () => (await deliveries()).every(({ state }) => state === "delivered"),
    "all are out",
  );

  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids.sort()).toEqual(left.map(({ id }) => id));
  for (const { headers, body } of receiver.received) {
    const { data } = new Webhook(textOf(secret)).verify(body, headers) as { data: { feedId: string } };
    expect(feeds.map(({ id }) => id)).toContain(data.feedId);
  }
  for (const { id, claim, tries, attempts } of await deliveries()) {
    // Of the attempt that died nothing is known but its claim.
    expect({ claim, tries }).toEqual({ claim: claimed.includes(id) ? 2 : 1, tries: 1 });
    expect(attempts).toMatchObject([{ status: 204, error: null }]);
  }
  // The scheduler, REST and this route are bundles apart, and count in one place all the same.
  const metrics = await (
    await fetch(`${server?.url}/api/metrics`, { headers: { authorization: `Bearer ${token}` } })
  ).text();
  expect(metrics).toContain('tidemark_webhook_attempts_total{outcome="delivered"} 3');
  expect(metrics).toContain("tidemark_webhook_deliveries_pending 0");
  expect(server?.output()).not.toMatch(/unhandled|"level":50/);
});
