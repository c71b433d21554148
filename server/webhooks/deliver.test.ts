import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { waitUntil } from "@/test/wait-until";
import { says, useReceiver } from "@/test/webhook-receiver";
import { claimDeliveries, claimDelivery } from "./claim-deliveries";
import { createEndpoint } from "./create-endpoint";
import { deliverClaimed } from "./deliver-claimed";
import { deliverWhereDue } from "./deliver-where-due";
import { getDelivery } from "./deliveries";
import { getEndpoint } from "./endpoints";
import { writeBody } from "./events";
import { expireDeliveries } from "./expire-deliveries";
import { addDeliveries } from "./record-event";
import { resendDelivery } from "./resend-delivery";
import { updateEndpoint } from "./update-endpoint";

process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.0/8";

const t = useDatabase();
const receiver = useReceiver();
let caller: Caller;
/** Another process: its own pool on the same database. */
let rival: Db;

beforeAll(() => {
  rival = createDb(t.url, 8);
});
afterAll(() => rival.$disconnect());
beforeEach(async () => {
  await t.db.webhookEndpoint.deleteMany();
  caller = await createCaller(t.db);
});

function endpoint(path = "/") {
  return createEndpoint(t.db, caller, { url: receiver.url + path, events: ["run.failed"] });
}

/** Deliveries that are due, for one endpoint. */
function addDue(webhookId: string, count = 1): Promise<string[]> {
  const body = writeBody("run.failed", new Date(), { runId: "run_1" });
  return t.db.$transaction((tx) =>
    addDeliveries(tx, caller.workspaceId, Array(count).fill(webhookId), { type: "run.failed", body }),
  );
}

/** Lets a delivery's, or all deliveries', next attempt be due. */
async function makeDue(): Promise<void> {
  await t.db.webhookDelivery.updateMany({
    where: { state: "pending" },
    data: { nextAttemptAt: new Date(0) },
  });
}

const logOf = (webhookId: string, deliveryId = "") => getDelivery(t.db, caller, { webhookId, deliveryId });

it("delivers what is due once, and says so in the log", async () => {
  const { id } = await endpoint("/hook");
  const [deliveryId = ""] = await addDue(id);
  expect(await deliverWhereDue(t.db)).toBe(1);
  expect(await deliverWhereDue(t.db), "nothing is left").toBe(0);
  const [got] = receiver.received;
  expect(got).toMatchObject({ path: "/hook", headers: { "webhook-id": deliveryId } });
  const delivery = await logOf(id, deliveryId);
  expect(delivery).toMatchObject({
    status: "delivered",
    attemptCount: 1,
    isSending: false,
    nextAttemptAt: null,
  });
  expect(delivery.body).toBe(got?.body);
  expect(await getEndpoint(t.db, caller, { webhookId: id })).toMatchObject({
    failingSince: null,
    lastSuccessAt: expect.any(String),
  });
});

it("tries again under the same webhook-id with the same body, and keeps every attempt", async () => {
  const { id } = await endpoint();
  const [deliveryId = ""] = await addDue(id);
  receiver.answer(says(500, "out of order"));
  await deliverWhereDue(t.db);
  const waiting = await logOf(id, deliveryId);
  expect(waiting).toMatchObject({
    status: "pending",
    finishedAt: null,
    lastAttempt: { status: 500, response: { body: "out of order" } },
  });
  expect(new Date(waiting.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(Date.now());
  expect(await deliverWhereDue(t.db), "not before it is due").toBe(0);
  expect(await getEndpoint(t.db, caller, { webhookId: id })).toMatchObject({
    consecutiveFailures: 1,
    failingSince: expect.any(String),
  });

  receiver.answer(says(200));
  await makeDue();
  await deliverWhereDue(t.db);
  const [first, second] = receiver.received;
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second?.body).toBe(first?.body);
  const done = await logOf(id, deliveryId);
  expect(done.attempts.map(({ status }) => status)).toEqual([500, 200]);
  expect(done.status).toBe("delivered");
  expect(await getEndpoint(t.db, caller, { webhookId: id })).toMatchObject({
    consecutiveFailures: 0,
    failingSince: null,
  });
});

it("gives up with the attempt that fails when its day is over", async () => {
  const { id } = await endpoint();
  const [deliveryId = ""] = await addDue(id);
  await t.db.webhookDelivery.updateMany({ where: { id: deliveryId }, data: { giveUpAt: new Date(0) } });
  receiver.answer(says(500));
  await deliverWhereDue(t.db);
  expect(await logOf(id, deliveryId)).toMatchObject({
    status: "failed",
    nextAttemptAt: null,
    attemptCount: 1,
  });
});

it("410 disables the endpoint at once, with an entry in the audit log; what waits is not sent", async () => {
  const { id } = await endpoint();
  const [gone = ""] = await addDue(id);
  receiver.answer(says(410));
  await deliverWhereDue(t.db);
  await addDue(id);
  expect(await deliverWhereDue(t.db)).toBe(0);
  expect(receiver.received).toHaveLength(1);
  expect((await logOf(id, gone)).status).toBe("failed");
  expect(await getEndpoint(t.db, caller, { webhookId: id })).toMatchObject({
    status: "disabled",
    disabledBy: "gone",
    disabledReason: expect.stringContaining("410"),
  });
  const audits = await t.db.auditEntry.findMany({ where: { action: "webhook.disabled", targetId: id } });
  expect(audits).toHaveLength(1);
  await expect(resendDelivery(t.db, caller, { webhookId: id, deliveryId: gone })).rejects.toMatchObject({
    code: "conflict",
  });

  receiver.answer(says(204));
  await updateEndpoint(t.db, caller, { webhookId: id, status: "enabled" });
  expect(await deliverWhereDue(t.db), "what waited goes out once it is enabled").toBe(1);
});

it("an endpoint that fails for days is disabled, with the reason", async () => {
  const { id } = await endpoint();
  await addDue(id);
  const sixDaysAgo = new Date(Date.now() - 6 * 86_400_000);
  await t.db.webhookEndpoint.updateMany({
    where: { id },
    data: { failingSince: sixDaysAgo, consecutiveFailures: 40 },
  });
  receiver.answer(says(500));
  await deliverWhereDue(t.db);
  expect(await getEndpoint(t.db, caller, { webhookId: id })).toMatchObject({
    status: "disabled",
    disabledBy: "failing",
    disabledReason: expect.stringMatching(/^41 attempts in a row have failed since .*answered 500/),
  });
});

it("leaves an endpoint alone for as long as Retry-After says, all its deliveries", async () => {
  const { id } = await endpoint();
  await addDue(id, 1);
  receiver.answer(says(429, "", { "retry-after": "600" }));
  await deliverWhereDue(t.db);
  await addDue(id, 3);
  expect(await deliverWhereDue(t.db)).toBe(0);
  expect(receiver.received).toHaveLength(1);
  const { waitsUntil } = await getEndpoint(t.db, caller, { webhookId: id });
  expect(Date.parse(waitsUntil ?? "") - Date.now()).toBeGreaterThan(500_000);
});

describe("several processes", () => {
  it("deliver each of many once, and never more than two at a time to one endpoint", async () => {
    const { id } = await endpoint();
    const ids = await addDue(id, 40);
    receiver.answer((_, response) => void setTimeout(() => response.writeHead(204).end(), 4));
    const [mine, theirs] = await Promise.all([deliverWhereDue(t.db), deliverWhereDue(rival)]);
    expect(mine + theirs).toBe(40);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual([...ids].sort());
    expect(receiver.mostOpen).toBeLessThanOrEqual(2);
  });

  it("a claim whose process died goes to another when its lease is over, and the dead one writes nothing", async () => {
    const { id } = await endpoint();
    const [deliveryId = ""] = await addDue(id);
    const releases: (() => void)[] = [];
    receiver.answer((_, response) => void releases.push(() => response.writeHead(500).end()));
    const [claim] = await claimDeliveries(rival, { limit: 10 });
    if (!claim) throw new Error("nothing was claimed");
    const late = deliverClaimed(rival, claim); // hangs, like a process that was killed between the two
    await waitUntil(() => releases.length === 1, "the first attempt is under way");
    expect(await deliverWhereDue(t.db), "its lease holds").toBe(0);

    await t.db.webhookDelivery.updateMany({ where: { id: deliveryId }, data: { leaseUntil: new Date(0) } });
    receiver.answer(says(204));
    expect(await deliverWhereDue(t.db)).toBe(1);
    releases[0]?.();
    expect(await late).toBe("superseded");
    expect(await logOf(id, deliveryId)).toMatchObject({ status: "delivered", attempts: [{ status: 204 }] });
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  it("who comes second to a delivery gets none of it", async () => {
    const { id } = await endpoint();
    const [deliveryId = ""] = await addDue(id);
    let end = () => {};
    const ended = new Promise<void>((done) => {
      end = done;
    });
    let isClaimed = () => {};
    const claimed = new Promise<void>((done) => {
      isClaimed = done;
    });
    const first = rival.$transaction(async (tx) => {
      expect(await claimDelivery(tx as Db, { ...caller, id: deliveryId })).not.toBeNull();
      isClaimed();
      await ended;
    });
    await claimed;
    const second = claimDeliveries(t.db, { limit: 10 });
    await waitUntil(isSomebodyWaiting, "the second waits for the row");
    end();
    await first;
    expect(await second).toEqual([]);
  });

  it("one that is told to stop gives back what it could not finish", async () => {
    const { id } = await endpoint();
    const [deliveryId = ""] = await addDue(id);
    receiver.answer(() => {});
    const stop = new AbortController();
    const [claim] = await claimDeliveries(t.db, { limit: 1 });
    if (!claim) throw new Error("nothing was claimed");
    const attempt = deliverClaimed(t.db, claim, { signal: stop.signal });
    await waitUntil(() => receiver.received.length === 1, "the attempt is under way");
    stop.abort(new Error("stopping"));
    await expect(attempt).rejects.toThrow("stopping");
    expect(await logOf(id, deliveryId)).toMatchObject({ status: "pending", isSending: false, attempts: [] });
    receiver.answer(says(204));
    expect(await deliverWhereDue(rival)).toBe(1);
  });
});

it("a slow endpoint does not hold up the others", async () => {
  const slow = await endpoint("/slow");
  const quick = await endpoint("/quick");
  const held: (() => void)[] = [];
  receiver.answer((_, response) => void held.push(() => response.writeHead(204).end()), "/slow");
  await addDue(slow.id, 50);
  const round = deliverWhereDue(t.db);
  await waitUntil(() => held.length === 2, "the slow one holds its two places");
  const quickOnes = await addDue(quick.id, 30);
  await waitUntil(
    () => receiver.received.filter(({ path }) => path === "/quick").length === quickOnes.length,
    "all of the quick one's came through meanwhile",
  );
  expect(held).toHaveLength(2);
  receiver.answer(says(204), "/slow");
  for (const release of held) release();
  expect(await round).toBe(80);
});

it("sends one again: same id, same body, also when it was delivered before", async () => {
  const { id } = await endpoint();
  const [deliveryId = ""] = await addDue(id);
  await deliverWhereDue(t.db);
  const again = await resendDelivery(t.db, caller, { webhookId: id, deliveryId });
  expect(again).toMatchObject({
    status: "delivered",
    attemptCount: 2,
    attempts: [{ status: 204 }, { status: 204 }],
  });
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
});

it("keeps the log bounded, and gives up what waits at a disabled endpoint when its day is over", async () => {
  const { id } = await endpoint();
  const [old = "", young = "", waiting = ""] = await addDue(id, 3);
  const long = new Date(Date.now() - 31 * 86_400_000);
  const finished = { state: "delivered", nextAttemptAt: null };
  await t.db.webhookDelivery.update({
    where: { workspaceId_id: { workspaceId: caller.workspaceId, id: old } },
    data: { ...finished, finishedAt: long },
  });
  await t.db.webhookDelivery.update({
    where: { workspaceId_id: { workspaceId: caller.workspaceId, id: young } },
    data: { ...finished, finishedAt: new Date() },
  });
  await updateEndpoint(t.db, caller, { webhookId: id, status: "disabled" });
  await expireDeliveries(t.db);
  expect((await logOf(id, waiting)).status, "its day is not over").toBe("pending");
  await t.db.webhookDelivery.updateMany({ where: { id: waiting }, data: { giveUpAt: new Date(0) } });
  await expireDeliveries(t.db);
  expect(await logOf(id, waiting)).toMatchObject({
    status: "failed",
    lastAttempt: { error: { code: "not_sent" } },
  });
  expect((await logOf(id, young)).status).toBe("delivered");
  await expect(logOf(id, old)).rejects.toMatchObject({ code: "not_found" });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const rows = await t.db.$queryRaw<object[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length > 0;
}
