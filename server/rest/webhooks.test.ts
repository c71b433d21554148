import { Webhook } from "standardwebhooks";
import { beforeAll, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { MAX_ENDPOINTS } from "@/server/webhooks/choices";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { says, useReceiver } from "@/test/webhook-receiver";
import { deliveryWithAttemptsSchema, webhookSchema, webhookWithSecretSchema } from "./webhook-schemas";

process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.0/8";

const t = useDatabase();
const receiver = useReceiver();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

const add = (fields: object = {}) =>
  api.post("/webhooks", { url: `${receiver.url}/hook`, events: ["run.failed"], ...fields });

it("adds, shows, changes and deletes; the secret is in the first answer alone; everything is audited", async () => {
  const sealedBefore = await t.db.credential.count();
  const added = await add({ description: "Pager", events: ["deletes.held", "run.failed", "run.failed"] });
  expect(added.status).toBe(201);
  expect(webhookWithSecretSchema.safeParse(added.body).success).toBe(true);
  expect(added.body).toMatchObject({
    events: ["run.failed", "deletes.held"],
    status: "enabled",
    failingSince: null,
  });
  expect(added.body.id).toMatch(/^whk_/);
  expect(added.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const path = `/webhooks/${added.body.id}`;

  const shown = await api.get(path);
  expect(webhookSchema.safeParse(shown.body).success).toBe(true);
  expect(JSON.stringify([shown.body, (await api.get("/webhooks")).body])).not.toContain("whsec_");

  const disabled = await api.patch(path, { status: "disabled", description: "" });
  expect(disabled.body).toMatchObject({
    status: "disabled",
    disabledBy: "person",
    description: "",
    events: added.body.events,
  });
  expect((await api.patch(path, { status: "enabled" })).body).toMatchObject({
    status: "enabled",
    disabledBy: null,
  });

  expect((await api.delete(path)).status).toBe(204);
  expect((await api.get(path)).status).toBe(404);
  expect(await t.db.credential.count(), "nothing stays in the vault").toBe(sealedBefore);
  const audits = await t.db.auditEntry.findMany({
    where: { targetId: added.body.id },
    orderBy: { id: "asc" },
  });
  expect(audits.map(({ action }) => action)).toEqual([
    "webhook.create",
    "webhook.update",
    "webhook.update",
    "webhook.delete",
  ]);
});

it("tests an endpoint: one signed delivery now, its answer in the log", async () => {
  const { id, secret } = (await add()).body;
  receiver.answer(says(200, "received"));
  const test = await api.post(`/webhooks/${id}/test`);
  expect(test.status).toBe(200);
  expect(deliveryWithAttemptsSchema.safeParse(test.body).success).toBe(true);
  expect(test.body).toMatchObject({
    type: "webhook.test",
    status: "delivered",
    lastAttempt: { status: 200, response: { body: "received" } },
  });
  const [got] = receiver.received;
  expect(new Webhook(secret).verify(got?.body ?? "", got?.headers ?? {})).toMatchObject({
    type: "webhook.test",
    data: { links: { webhook: `http://localhost:3000/webhooks/${id}` } },
  });

  receiver.answer(says(500));
  expect((await api.post(`/webhooks/${id}/test`)).body).toMatchObject({
    status: "failed",
    lastAttempt: { status: 500 },
  });
  const all = (await api.get(`/webhooks/${id}/deliveries`)).body;
  expect(all.items.map((item: { status: string }) => item.status)).toEqual(["failed", "delivered"]);
  const one = (await api.get(`/webhooks/${id}/deliveries?limit=1`)).body;
  const next = (await api.get(`/webhooks/${id}/deliveries?limit=1&after=${one.nextAfter}`)).body;
  expect([one.items[0].id, next.items[0].id]).toEqual(all.items.map((item: { id: string }) => item.id));
  expect((await api.get(`/webhooks/${id}/deliveries?status=failed`)).body.items).toHaveLength(1);

  receiver.answer(says(204));
  const again = await api.post(`/webhooks/${id}/deliveries/${one.items[0].id}/resend`);
  expect(again.body).toMatchObject({ status: "delivered", attemptCount: 2 });
});

it("rotates the secret: both sign during the overlap, at once the new one alone", async () => {
  const { id, secret } = (await add()).body;
  const path = `/webhooks/${id}`;
  const rotated = (await api.post(`${path}/rotate`)).body;
  expect(Date.parse(rotated.overlapUntil) - Date.now()).toBeGreaterThan(86_000_000);
  await api.post(`${path}/test`);
  const during = receiver.received.at(-1);
  for (const known of [secret, rotated.secret])
    new Webhook(known).verify(during?.body ?? "", during?.headers ?? {});

  const last = (await api.post(`${path}/rotate`, { overlapSeconds: 0 })).body;
  expect(last.overlapUntil).toBeNull();
  await api.post(`${path}/test`);
  const after = receiver.received.at(-1);
  new Webhook(last.secret).verify(after?.body ?? "", after?.headers ?? {});
  for (const old of [secret, rotated.secret]) {
    expect(() => new Webhook(old).verify(after?.body ?? "", after?.headers ?? {})).toThrow(
      "No matching signature",
    );
  }
});

it("refuses what cannot work, and says why", async () => {
  const cases: [object, string, RegExp][] = [
    [{ url: "ftp://example.org/" }, "url", /https/],
    [{ url: "not an address" }, "url", /https/],
    [{ url: "http://10.0.0.7/hook" }, "url", /TIDEMARK_ALLOW_PRIVATE_NETWORKS/],
    [{ url: "http://169.254.169.254/latest" }, "url", /TIDEMARK_ALLOW_PRIVATE_NETWORKS/],
    [{ url: "https://example.org/?key=***" }, "url", /masked/],
    [{ events: [] }, "events", /at least one/],
    [{ events: ["run.exploded"] }, "events[0]", /./],
    [{ description: "x".repeat(201) }, "description", /./],
  ];
  for (const [fields, path, says] of cases) {
    const { status, body } = await add(fields);
    expect(status, JSON.stringify(fields)).toBe(422);
    expect(body.errors[0].path).toBe(path);
    expect(body.errors[0].message).toMatch(says);
  }
  const { id } = (await add()).body;
  expect((await api.post(`/webhooks/${id}/rotate`, { overlapSeconds: -1 })).status).toBe(422);
  expect((await api.get(`/webhooks/${id}/deliveries?status=lost`)).status).toBe(422);
  expect((await api.post(`/webhooks/${id}/deliveries/dlv_01jz0000000000000000000000/resend`)).status).toBe(
    404,
  );
});

it("has room for twenty, counted by the database", async () => {
  const full = await createCaller(t.db);
  const client = await RestClient.create(t.db, full);
  const fields = { url: `${receiver.url}/hook`, events: ["run.failed"] };
  const answers = await Promise.all(
    Array.from({ length: MAX_ENDPOINTS + 3 }, () => client.post("/webhooks", fields)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_ENDPOINTS);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: "conflict" });
});

it("F43: keeps an address's secrets and the signing secret in the vault, and the address whole where it counts", async () => {
  const url = `${receiver.url.replace("//", "//harbour:tide-pass-9@")}/in?token=abcd-efgh-1234`;
  const { id, secret, url: shown } = (await add({ url })).body;
  expect(shown).toContain("***");
  expect(shown).not.toMatch(/tide-pass-9|abcd-efgh/);
  await api.patch(`/webhooks/${id}`, { url: shown, description: "as it was shown" });
  await api.post(`/webhooks/${id}/test`);
  expect(receiver.received.at(-1)?.path).toBe("/in?token=abcd-efgh-1234");
  const rows = JSON.stringify(
    [
      await t.db.webhookEndpoint.findMany(),
      await t.db.webhookDelivery.findMany(),
      await t.db.auditEntry.findMany(),
      await t.db.credential.findMany(),
    ],
    (_, value) => (typeof value === "bigint" ? String(value) : value),
  );
  for (const known of [secret, secret.slice(6), "tide-pass-9", "abcd-efgh-1234"])
    expect(rows).not.toContain(known);
});
