import { describe, expect, it } from "vitest";
import { afterAttempt } from "./after-attempt";
import type { Attempt } from "./delivery-shape";

const HOUR_MS = 3600 * 1000;
const start = new Date("2026-06-14T09:00:00Z");
const healthy = { failingSince: null, consecutiveFailures: 0 };

function failed(code = "status"): Attempt {
  return {
    at: start.toISOString(),
    ms: 3,
    status: 500,
    error: { code, message: "It failed." },
    response: null,
  };
}

function later(ms: number): Date {
  return new Date(start.getTime() + ms);
}

describe("a delivery that never gets through", () => {
  it.each([0, 0.5, 1])(
    "is tried about a dozen times over exactly 24 hours, then given up (random %d)",
    (random) => {
      const giveUpAt = later(24 * HOUR_MS);
      const gaps: number[] = [];
      let now = start;
      for (let tries = 1; ; tries += 1) {
        const sent = { attempt: failed(), retryAfter: null };
        const { delivery } = afterAttempt({ type: "run.failed", tries, giveUpAt }, healthy, sent, {
          now,
          random: () => random,
        });
        if (delivery.state !== "pending") {
          expect(delivery.state).toBe("failed");
          expect(tries).toBeGreaterThanOrEqual(9);
          expect(tries).toBeLessThanOrEqual(13);
          break;
        }
        gaps.push(delivery.nextAttemptAt.getTime() - now.getTime());
        now = delivery.nextAttemptAt;
      }
      expect(now, "the last attempt").toEqual(giveUpAt);
      expect(gaps[0]).toBeGreaterThanOrEqual(3_750);
      expect(gaps[0]).toBeLessThanOrEqual(6_250);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(7.5 * HOUR_MS);
    },
  );

  it("spreads its attempts, so that a receiver's recovery is no stampede", () => {
    const at = (random: number) =>
      afterAttempt(
        { type: "run.failed", tries: 3, giveUpAt: later(24 * HOUR_MS) },
        healthy,
        {
          attempt: failed(),
          retryAfter: null,
        },
        { now: start, random: () => random },
      ).delivery.nextAttemptAt;
    expect(at(0)).not.toEqual(at(1));
  });
});

it("waits as long as the receiver asks, also past its day, and not less than its own back-off", () => {
  const giveUpAt = later(HOUR_MS);
  const next = (retryAfter: Date) =>
    afterAttempt(
      { type: "run.failed", tries: 2, giveUpAt },
      healthy,
      { attempt: failed(), retryAfter },
      {
        now: start,
        random: () => 0.5,
      },
    );
  expect(next(later(2 * HOUR_MS)).delivery.nextAttemptAt).toEqual(later(2 * HOUR_MS));
  expect(next(later(2 * HOUR_MS)).endpoint.waitsUntil).toEqual(later(2 * HOUR_MS));
  expect(next(later(1_000)).delivery.nextAttemptAt).toEqual(later(20_000));
  expect(next(start).endpoint.waitsUntil, "zero seconds").toBeNull();
});

it("gives a test one attempt, and a 410 to anything is the last", () => {
  const clock = { now: start, random: () => 0.5 };
  const giveUpAt = later(HOUR_MS);
  const test = afterAttempt(
    { type: "webhook.test", tries: 1, giveUpAt },
    healthy,
    { attempt: failed(), retryAfter: null },
    clock,
  );
  expect(test).toMatchObject({ delivery: { state: "failed" }, disable: null });
  const gone = afterAttempt(
    { type: "run.failed", tries: 1, giveUpAt },
    healthy,
    { attempt: failed("gone"), retryAfter: null },
    clock,
  );
  expect(gone).toMatchObject({ delivery: { state: "failed" }, disable: { by: "gone" } });
});

it("disables an endpoint after five days and twenty failures, and not after one of both", () => {
  const judge = (failures: number, days: number) =>
    afterAttempt(
      { type: "run.failed", tries: 1, giveUpAt: later(24 * HOUR_MS) },
      { failingSince: later(-days * 24 * HOUR_MS), consecutiveFailures: failures - 1 },
      { attempt: failed(), retryAfter: null },
      { now: start, random: () => 0.5 },
    ).disable;
  expect(judge(20, 5)).toMatchObject({ by: "failing", reason: expect.stringContaining("It failed.") });
  expect(judge(19, 50)).toBeNull();
  expect(judge(2_000, 4.9)).toBeNull();
});

it("forgets all failures with the first success", () => {
  const attempt = { ...failed(), status: 204, error: null };
  const before = { failingSince: later(-HOUR_MS), consecutiveFailures: 7 };
  const outcome = afterAttempt(
    { type: "run.failed", tries: 3, giveUpAt: start },
    before,
    { attempt, retryAfter: null },
    {
      now: start,
      random: () => 0.5,
    },
  );
  expect(outcome).toEqual({
    delivery: { state: "delivered", nextAttemptAt: null },
    endpoint: { failingSince: null, consecutiveFailures: 0, lastSuccessAt: start, waitsUntil: null },
    disable: null,
  });
});
