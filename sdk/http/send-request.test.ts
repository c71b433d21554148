import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TidemarkError } from "../errors.ts";
import { answering } from "../testing/answers.ts";
import { FakeServer, TOKEN } from "../testing/fake-server.ts";
import { connect } from "./connection.ts";
import { sendRequest } from "./send-request.ts";

let server: FakeServer;
beforeEach(async () => {
  server = await FakeServer.start();
});
afterEach(() => server.stop());
afterEach(() => void vi.useRealTimers());

/** Answers by a script, and ends when it is aborted, as fetch does. */
function connectTo(respond: (signal: AbortSignal) => Promise<Response>) {
  return connect({
    url: "http://tidemark.test",
    token: TOKEN,
    fetch: (_url, init) => respond(init?.signal as AbortSignal),
  });
}

const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

it("gives up on a server that does not begin to answer, after the time it may hold the request", async () => {
  vi.useFakeTimers();
  const sent = sendRequest(connectTo(never), "/changes", { holdMs: 25_000 }).catch((error) => error);
  await vi.advanceTimersByTimeAsync(54_000);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await sent).toMatchObject({
    code: "network_error",
    retryable: true,
    message: expect.stringMatching("took too long"),
  });
  expect(vi.getTimerCount()).toBe(0);
});

it("gives a big answer all the time it needs, as long as it keeps coming", async () => {
  vi.useFakeTimers();
  const bytes = new TextEncoder().encode('{"text":"Ü"}');
  let next = 0;
  const respond = async () => {
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((later) => setTimeout(later, 20_000));
        // One byte at a time: a letter of two bytes is cut in the middle.
        if (next < bytes.length) controller.enqueue(bytes.slice(next, ++next));
        else controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const sent = sendRequest(connectTo(respond), "/changes");
  await vi.advanceTimersByTimeAsync(20_000 * (bytes.length + 1));
  expect(await sent).toEqual({ text: "Ü" });
});

it("names the address and the reason when nobody listens, and keeps the token to itself", async () => {
  const { url } = server;
  await server.stop();
  const error: TidemarkError = await sendRequest(connect({ url, token: TOKEN }), "/changes").then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(error).toMatchObject({
    name: "TidemarkError",
    code: "network_error",
    status: null,
    retryable: true,
  });
  expect(error.message).toMatch(/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  expect(JSON.stringify([error, error.message, error.stack])).not.toContain(TOKEN);
  server = await FakeServer.start();
});

it("takes an address with a path in front, and calls fetch as a browser's wants to be called", async () => {
  let called: unknown;
  const connection = connect({
    url: "https://example.org/tidemark/",
    token: TOKEN,
    fetch: function (this: unknown, url) {
      called = [this, url];
      return Promise.resolve(Response.json({}));
    },
  });
  await sendRequest(connection, "/changes");
  expect(called).toEqual([undefined, "https://example.org/tidemark/api/v1/changes"]);
});

it("reads a problem's fields, and keeps what else it says", async () => {
  const problem = {
    code: "invalid_request",
    detail: "limit: too large",
    requestId: "req-9",
    errors: [{ path: "limit", code: "too_big", message: "too large" }],
    hint: "1000",
  };
  server.faults.push(answering(422, "application/problem+json", JSON.stringify(problem)));
  await expect(sendRequest(connect(server.access), "/changes")).rejects.toMatchObject({
    code: "invalid_request",
    status: 422,
    requestId: "req-9",
    fields: [{ path: "limit", code: "too_big", message: "too large" }],
    problem: { hint: "1000" },
  });
});
