import { afterAll, beforeAll, beforeEach } from "vitest";
import { z } from "zod";
import { defineAdapter, type Page, type SyncContext, type WatermarkType } from "@/sdk/adapter";
import type { RunSyncOptions } from "@/sdk/run/options";
import { runSync } from "@/sdk/run/run-sync";
import { SCOPES } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { createCaller } from "./factories";
import { type RestServer, startRestServer } from "./rest-server";

/** What a test of the package's runSync needs: the REST app behind a socket, a workspace, a token of its own. */
export type OwnRuns = {
  caller: Caller;
  client: { url: string; token: string };
  /** Asked before each request; what it returns is waited for. */
  before: (request: Request) => Promise<unknown> | undefined;
  sync(feed: string, adapter: OwnAdapter, options?: Partial<RunSyncOptions>): ReturnType<typeof runSync>;
  /** Of `runSync`'s own and the cursor-less pushes', the newest. */
  lastRun(feedId: string): ReturnType<Db["syncRun"]["findFirstOrThrow"]>;
  liveIds(feedId: string): Promise<(string | null)[]>;
  cursorOf(feedId: string): Promise<string | null>;
};

/** Call it after `useDatabase` at the top of a file. */
export function useOwnRuns(t: { db: Db }): OwnRuns {
  let server: RestServer;
  const own: OwnRuns = Object.assign({} as OwnRuns, {
    before: () => undefined,
    sync: (feed, adapter, options) => runSync({ adapter, feed, client: own.client, ...options }),
    lastRun: (feedId) => t.db.syncRun.findFirstOrThrow({ where: { feedId }, orderBy: { id: "desc" } }),
    liveIds: async (feedId) => {
      const rows = await t.db.document.findMany({ where: { feedId, state: "live" } });
      return rows.map(({ externalId }) => externalId).sort();
    },
    cursorOf: async (id) => (await t.db.feed.findFirstOrThrow({ where: { id } })).cursor,
  } satisfies Omit<OwnRuns, "caller" | "client">);
  beforeAll(async () => {
    server = await startRestServer(t.db, (request) => own.before(request));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    own.before = () => undefined;
    own.caller = await createCaller(t.db);
    const { token } = await createToken(t.db, own.caller, { name: "sync", scopes: SCOPES });
    own.client = { url: server.url, token };
  });
  return own;
}

/** An adapter that does what the test says. */
export type Sync = (ctx: SyncContext<{ prefix: string }>) => Promise<Page> | AsyncIterable<Page>;
export type OwnAdapter = ReturnType<typeof adapterOf>;
export function adapterOf(sync: Sync, watermark: WatermarkType = "idSet") {
  return defineAdapter({
    type: "scripted",
    name: "Scripted",
    description: "For tests",
    watermark,
    auth: ["none"],
    config: z.object({ prefix: z.string().default("d") }),
    runsOn: ["agent"],
    externalKey: "anything",
    sync,
  });
}

export const numbered = (from: number, to: number, prefix = "d") =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ id: `${prefix}-${from + i}`, title: `${from + i}` }));
export const upTo = (high: number): Page["cursor"] => ({ type: "idSet", high: String(high), recent: [] });
/** Pages of ten from the cursor to `last`, a cursor with each. */
export const counting = (last: number): Sync =>
  async function* ({ cursor, config }) {
    for (let at = cursor.type === "idSet" ? Number(cursor.high) : 0; at < last; at += 10) {
      const end = Math.min(at + 10, last);
      yield { documents: numbered(at + 1, end, config.prefix), cursor: upTo(end) };
    }
  };
