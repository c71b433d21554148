import { describe, expect, it } from "vitest";
import { answering, cutHalfway, hangUp, refusing } from "../testing/answers.ts";
import { useFollower } from "../testing/follow-fake.ts";
import { followWith } from "./follow-changes.ts";
import type { FollowStatus } from "./options.ts";

const t = useFollower();

describe("a copy that fails", () => {
  it("ends the follower with the very error, and gets the same batch again", async () => {
    t.write("a", "b", "c");
    const failure = new Error("disk full");
    const { store, apply } = t.mirror.simple();
    const fail = () => {
      throw failure;
    };
    await expect(t.catchUp({ store, apply: fail })).rejects.toBe(failure);
    await expect(t.catchUp({ store: { ...store, save: fail }, apply })).rejects.toBe(failure);
    await t.catchUp();
    expect(t.mirror.applied.map(({ changes }) => changes.map((change) => change.externalId))).toEqual([
      ["a", "b"],
      ["a", "b"],
      ["c"],
    ]);
  });

  it("that cannot say where it was is not guessed at", async () => {
    const failure = new Error("no such table");
    const store = {
      load: () => {
        throw failure;
      },
    };
    await expect(t.catchUp({ store })).rejects.toBe(failure);
    for (const stored of ["", "{}", "null", '{"v":1,"cursor":"x"}', "MTIz", 5 as never]) {
      await expect(t.catchUp({ store: { load: () => stored } })).rejects.toMatchObject({
        code: "position_invalid",
      });
    }
    expect(t.server.requests).toEqual([]);
  });

  it("that forgets to store the position is told so at once", async () => {
    t.write("a");
    const store = { load: () => null };
    await expect(t.catchUp({ store, apply: () => {} })).rejects.toMatchObject({
      code: "position_not_stored",
    });
  });
});

describe("failures on the way", () => {
  it("are tried again until they pass, and the delays grow", async () => {
    t.write("a", "b", "c");
    t.server.faults.push(
      cutHalfway,
      hangUp,
      refusing(503, "unavailable"),
      answering(502, "text/html", "<h1>Bad gateway</h1>"),
      answering(200, "application/json", '{"changes":[{"se'),
    );
    const statuses: FollowStatus[] = [];
    await t.catchUp({ onStatus: (status) => statuses.push(status) });
    expect(t.mirror.contents).toEqual(t.server.log.documents);
    expect(t.pauses).toEqual([250, 500, 1000, 2000, 4000]);
    expect(statuses.flatMap((status) => (status.type === "retrying" ? status.error.code : []))).toEqual([
      "network_error",
      "network_error",
      "unavailable",
      "unavailable",
      "network_error",
    ]);
  });

  it("wait as long as a 429 asks, and a little more", async () => {
    for (const seconds of ["7", "120junk"]) {
      t.server.faults.push(refusing(429, "rate_limited", { "retry-after": seconds }));
    }
    await t.catchUp();
    expect(t.pauses).toEqual([7250, 500]);
  });

  it("begin to count anew after a success", async () => {
    t.write("a", "b", "c");
    const fail = refusing(500, "internal_error");
    t.server.faults.push(fail, fail);
    const { store, apply } = t.mirror.simple();
    await t.catchUp({
      store,
      apply: (changes, step) => {
        apply(changes, step);
        if (step.begins) t.server.faults.push(fail);
      },
    });
    expect(t.pauses).toEqual([250, 500, 250]);
  });

  it.each([
    [401, "unauthenticated"],
    [403, "forbidden"],
    [400, "cursor_invalid"],
    [400, "cursor_filter_mismatch"],
    [422, "invalid_request"],
    [404, "not_found"],
  ])("end it when trying again cannot help: %i %s", async (status, code) => {
    t.server.faults.push(refusing(status, code));
    await expect(t.catchUp()).rejects.toMatchObject({
      name: "TidemarkError",
      code,
      status,
      requestId: "req-1",
      retryable: false,
      message: `refused: ${code}`,
    });
  });

  it("end it when something else answers at the address", async () => {
    t.server.faults.push(
      answering(200, "text/html", "<h1>Sign in</h1>"),
      answering(200, "application/json", '{"hello":"world"}'),
      answering(302, "text/plain", "", { location: "https://elsewhere.example/login" }),
    );
    for (const message of [/not JSON/, /no page of changes/, /redirects to https:\/\/elsewhere\.example/]) {
      await expect(t.catchUp()).rejects.toMatchObject({
        code: "unexpected_answer",
        message: expect.stringMatching(message),
      });
    }
  });

  it("never make it ask the same question for ever", async () => {
    const page = '{"changes":[],"cursor":"c1","hasMore":true}';
    t.server.faults.push(answering(200, "application/json", page), answering(200, "application/json", page));
    await expect(t.catchUp()).rejects.toMatchObject({ code: "unexpected_answer" });
    expect(t.server.requests).toHaveLength(2);
  });

  it("slow it down when waiting requests are not held", async () => {
    const ending = new AbortController();
    t.server.log.stop();
    const pause = async (ms: number) => {
      t.pauses.push(ms);
      if (t.pauses.length === 3) ending.abort();
    };
    const options = { ...t.server.access, ...t.mirror.simple(), signal: ending.signal };
    await followWith(options, { ...t.clock, pause });
    expect(t.pauses).toEqual([1000, 1000, 1000]);
  });
});

describe("options that make no sense", () => {
  it.each([
    [{ url: "tidemark.example" }, /`url`/],
    [{ url: "ftp://tidemark.example" }, /`url`/],
    [{ url: "https://tidemark.example/?token=tdm_secret" }, /`url`/],
    [{ token: "tdm_secret\n" }, /`token`/],
    [{ token: "" }, /`token`/],
    [{ limit: 1001 }, /`limit`/],
    [{ wait: 0 }, /`wait`/],
    [{ wait: 1.5 }, /`wait`/],
    [{ store: undefined as never }, /`store`/],
    [{ apply: undefined as never }, /`apply`/],
  ])("are named, without a secret: %j", async (option, message) => {
    const error = await t.follow(option).catch((error) => error);
    expect(error).toMatchObject({ code: "invalid_option", message: expect.stringMatching(message) });
    expect(error.message).not.toContain("secret");
  });
});
