import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { says, useReceiver } from "@/test/webhook-receiver";
import { sendWebhook } from "./send-webhook";
import { newSecret } from "./sign-delivery";

const receiver = useReceiver();
const LOOPBACK = { allowPrivateNetworks: ["127.0.0.0/8"] };
const secret = newSecret();
const body = JSON.stringify({
  type: "webhook.test",
  timestamp: "2026-06-14T09:00:00.000Z",
  data: { text: "Ebb ≠ flood" },
});

function send(
  path = "/",
  options: Partial<Parameters<typeof sendWebhook>[1]> = {},
  secrets = [{ secret, until: null as string | null }],
) {
  const url = path.startsWith("http") ? path : receiver.url + path;
  return sendWebhook({ id: "dlv_1", url, secrets, body }, { ...LOOPBACK, ...options });
}

it("posts JSON that `standardwebhooks` verifies, and takes any 2xx", async () => {
  receiver.answer(says(202, "thanks", { "content-type": "text/plain" }));
  const { attempt } = await send("/hook?team=7");
  const [got] = receiver.received;
  expect(got?.path).toBe("/hook?team=7");
  expect(got?.headers["content-type"]).toBe("application/json");
  expect(got?.headers["webhook-id"]).toBe("dlv_1");
  expect(new Webhook(secret).verify(got?.body ?? "", got?.headers ?? {})).toEqual(JSON.parse(body));
  expect(() => new Webhook(newSecret()).verify(got?.body ?? "", got?.headers ?? {})).toThrow(
    "No matching signature",
  );
  expect(attempt).toMatchObject({
    status: 202,
    error: null,
    response: { contentType: "text/plain", body: "thanks", isCut: false },
  });
});

it("signs with both secrets while a rotation lasts, and with the new one alone afterwards", async () => {
  const old = newSecret();
  const secrets = [
    { secret, until: null },
    { secret: old, until: new Date(Date.now() + 60_000).toISOString() },
  ];
  await send("/", {}, secrets);
  const during = receiver.received[0];
  for (const known of [secret, old]) new Webhook(known).verify(during?.body ?? "", during?.headers ?? {});
  await send("/", { now: () => new Date(Date.now() + 61_000) }, secrets);
  const after = receiver.received[1];
  new Webhook(secret).verify(after?.body ?? "", after?.headers ?? {});
  expect(() => new Webhook(old).verify(after?.body ?? "", after?.headers ?? {})).toThrow(
    "No matching signature",
  );
});

it("keeps the first 2 KB of an answer, and reads no more of an endless one", async () => {
  receiver.answer((_, response) => {
    response.writeHead(500);
    const pour = () => {
      if (response.destroyed) return;
      response.write("x".repeat(1024));
      setImmediate(pour);
    };
    pour();
  });
  const { attempt } = await send();
  expect(attempt).toMatchObject({ status: 500, error: { code: "status" }, response: { isCut: true } });
  expect(attempt.response?.body).toHaveLength(2048);
});

describe("what fails", () => {
  it("says that nothing answered in time", async () => {
    receiver.answer(() => {});
    const { attempt } = await send("/", { timeoutMs: 80 });
    expect(attempt).toMatchObject({ status: null, response: null, error: { code: "too_slow" } });
    expect(attempt.error?.message).not.toContain("tried again");
  });

  it("does not wait for the rest of an answer whose status said that it got through", async () => {
    receiver.answer((_, response) => void response.writeHead(200).write("still "));
    expect((await send("/", { timeoutMs: 150 })).attempt).toMatchObject({ status: 200, error: null });
  });

  it("does not follow a redirect, wherever it leads", async () => {
    receiver.answer(says(302, "<html>", { location: `${receiver.url}/inside` }));
    const { attempt } = await send();
    expect(attempt).toMatchObject({ status: 302, error: { code: "redirect" }, response: { body: "" } });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/"]);
    expect(JSON.stringify(attempt)).not.toContain("inside");
  });

  it("F24: connects to no private address, by number or by name, unless it is permitted", async () => {
    const port = new URL(receiver.url).port;
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "2130706433",
      "0x7f000001",
      "169.254.169.254",
      "10.1.2.3",
    ]) {
      const { attempt } = await send(`http://${host}:${port}/`, {
        allowPrivateNetworks: [],
        timeoutMs: 3_000,
      });
      expect(attempt, host).toMatchObject({ status: null, error: { code: "blocked_address" } });
      expect(attempt.error?.message).toContain("TIDEMARK_ALLOW_PRIVATE_NETWORKS");
    }
    expect(receiver.received).toEqual([]);
  });

  it("tells of refused connections and Retry-After", async () => {
    expect((await send("http://127.0.0.1:1/")).attempt.error?.code).toBe("unavailable");
    receiver.answer(says(503, "", { "retry-after": "120" }));
    const now = new Date();
    expect((await send("/", { now: () => now })).retryAfter).toEqual(new Date(now.getTime() + 120_000));
  });
});

it("F43: sends secrets of the address, and keeps none of them where answers are kept", async () => {
  receiver.answer(
    (request, response) =>
      void response.writeHead(400).end(`${request.path} ${request.headers.authorization}`),
  );
  const url = `${receiver.url.replace("//", "//harbour:s3cret-password@")}/in?key=abcd1234`;
  const { attempt } = await send(url);
  const [got] = receiver.received;
  expect(got?.path).toBe("/in?key=abcd1234");
  expect(got?.headers.authorization).toBe(
    `Basic ${Buffer.from("harbour:s3cret-password").toString("base64")}`,
  );
  expect(JSON.stringify(attempt)).not.toMatch(/s3cret-password|abcd1234|aGFyYm91cj/);
  expect(attempt.response?.body).toContain("***");
});
