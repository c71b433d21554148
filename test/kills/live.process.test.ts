import { afterAll, beforeAll, expect, it } from "vitest";
import { createToken, revokeToken } from "@/server/access/tokens";
import { createFeed } from "../factories";
import { expectStatus } from "./rest-client";
import { createWorld, type World } from "./world";

let world: World;
beforeAll(async () => {
  world = await createWorld({ servers: 2, env: { TIDEMARK_SCHEDULER: "off" } });
});
afterAll(() => world?.end());

/** The live channel of a server as a browser's EventSource reads it. */
async function openLive(url: string, token: string) {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/trpc/live.events`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", "accept-encoding": "gzip, br" },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toMatch(/event-stream/);
  let text = "";
  let wake = () => {};
  let isOver = false;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    try {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        text += part.value;
        wake();
      }
    } catch {
      // cut off
    }
    isOver = true;
    wake();
  })();
  return {
    /** @returns milliseconds until it was there. */
    async until(isThere: (text: string, isOver: boolean) => boolean, limitMs = 5_000): Promise<number> {
      const began = performance.now();
      while (!isThere(text, isOver)) {
        const left = limitMs - (performance.now() - began);
        if (left <= 0) throw new Error(`not within ${limitMs} ms: ${text}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return performance.now() - began;
    },
    close: () => stop.abort(),
  };
}

it("hears within a second, from the other server, what was paused there; and ends when it must", async () => {
  const [first, second] = world.servers;
  if (!first || !second) throw new Error("two servers were asked for");
  const feed = await createFeed(world.db, world.caller);
  const token = await createToken(world.db, world.caller, { name: "live", scopes: ["sources:read"] });
  const live = await openLive(second.url, token.token);
  await live.until((text) => text.includes('"hints"'));
  // The second server's LISTEN may still be connecting; what it missed meanwhile is not what this is about.
  for (let isHeard = false; !isHeard; ) {
    expectStatus(await world.rest.send("PATCH", `/api/v1/feeds/${feed.id}`, { name: "probe" }), 200);
    isHeard = await live
      .until((text) => text.includes(feed.id), 300)
      .then(
        () => true,
        () => false,
      );
  }

  const paused = await createFeed(world.db, world.caller);
  const heard = live.until((text) => text.includes(paused.id));
  expectStatus(await world.rest.send("POST", `/api/v1/feeds/${paused.id}/pause`), 200);
  expect(await heard).toBeLessThan(1_000);

  const ended = live.until((text, isOver) => isOver && text.includes("UNAUTHORIZED"));
  await revokeToken(world.db, world.caller, token.id);
  expect(await ended).toBeLessThan(1_500);
});

it("gives a place back when its page is closed", async () => {
  const [first] = world.servers;
  if (!first) throw new Error("a server was asked for");
  const token = await createToken(world.db, world.caller, { name: "tabs", scopes: ["sources:read"] });
  // More than one token may have open at once.
  for (let round = 0; round < 60; round += 1) {
    const live = await openLive(first.url, token.token);
    await live.until((text) => text.includes('"hints"'));
    live.close();
  }
});

it("does not keep a server from stopping", async () => {
  const second = world.servers[1];
  if (!second) throw new Error("two servers were asked for");
  const token = await createToken(world.db, world.caller, { name: "live", scopes: ["sources:read"] });
  const live = await openLive(second.url, token.token);
  await live.until((text) => text.includes('"hints"'));
  const began = performance.now();
  await second.stop();
  expect(performance.now() - began).toBeLessThan(3_000);
  await live.until((_, isOver) => isOver);
  expect(second.output()).not.toMatch(/error/i);
});
