import { afterEach, beforeEach } from "vitest";
import type { PushOptions } from "../push/options.ts";
import { pushWith } from "../push/push-documents.ts";
import type { PushDocument } from "../wire.ts";
import type { FakeFeed } from "./fake-feed.ts";
import { FakeServer } from "./fake-server.ts";

/** A server with an empty feed for each test, and pushes into it for which delays take no time. */
export function useFeed() {
  const t = {
    server: undefined as unknown as FakeServer,
    feed: undefined as unknown as FakeFeed,
    /** Every delay asked for, in milliseconds. */
    pauses: [] as number[],
    push: (options: Partial<PushOptions> & Pick<PushOptions, "documents">) =>
      pushWith(
        { ...t.server.access, feedId: "feed_1", ...options },
        { pause: async (ms) => void t.pauses.push(ms), random: () => 0.5, now: () => performance.now() },
      ),
    /** What each call carried: how many documents, cursor, cursorBefore. */
    calls: () => t.feed.calls.map((call) => [call.documents.length, call.cursor, call.cursorBefore]),
  };
  beforeEach(async () => {
    t.server = await FakeServer.start();
    t.feed = t.server.feed;
    t.pauses = [];
  });
  afterEach(() => t.server.stop());
  return t;
}

/** Documents d-from … d-to. */
export const numbered = (from: number, to: number): PushDocument[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ id: `d-${from + i}` }));
