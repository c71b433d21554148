import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { z } from "zod";
import { type Adapter, defineAdapter, type Page, type SyncContext, type WatermarkType } from "@/sdk/adapter";
import type { Caller } from "@/server/actor";
import type { Db, SyncRun } from "@/server/db";
import { executeRun, type RunnerOptions } from "@/server/runs/execute-run";
import { startRun } from "@/server/runs/start-run";
import { createFeed } from "./factories";

/** An adapter that does what the test says. */
export function anAdapter(
  sync: (ctx: SyncContext) => Promise<Page> | AsyncIterable<Page>,
  { watermark = "date", type = "scripted", externalKeyIsUrl = false }: AdapterTraits = {},
): Adapter {
  return defineAdapter({
    type,
    name: "Scripted",
    description: "For tests",
    watermark,
    auth: ["none"],
    config: z.object({}),
    runsOn: ["cloud"],
    externalKey: "anything",
    externalKeyIsUrl,
    sync,
  });
}
type AdapterTraits = { watermark?: WatermarkType; type?: string; externalKeyIsUrl?: boolean };

/** A feed of a cloud source that the adapter above syncs. */
export function createSyncedFeed(
  db: Db,
  caller: Caller,
  feed: { watermark?: WatermarkType; externalKey?: string; cursor?: string | null } = {},
  type = "scripted",
) {
  return createFeed(db, caller, { watermark: "date", ...feed }, { type, runsOn: "cloud" });
}

/** What the guarded fetch needs to reach this machine's own servers. */
export const LOOPBACK = { fetch: { allowPrivateNetworks: ["127.0.0.0/8"] } } satisfies Partial<RunnerOptions>;

/** Starts a run, executes it with the adapter, and reads what became of it. */
export async function runFeed(
  db: Db,
  caller: Caller,
  feedId: string,
  adapter: Adapter,
  { listing, ...options }: Partial<RunnerOptions> & { listing?: boolean } = {},
): Promise<SyncRun> {
  const { runId } = await startRun(db, caller, { feedId, trigger: "manual", executor: "cloud", listing });
  await executeRun(
    db,
    { workspaceId: caller.workspaceId, runId },
    {
      getAdapter: (type) => (type === adapter.type ? adapter : undefined),
      ...LOOPBACK,
      ...options,
    },
  );
  return db.syncRun.findFirstOrThrow({ where: { id: runId } });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on loopback for the length of a file; `answer` is changed by each test. */
export function useUpstream(): { url(path?: string): string; answer: Handler; requests: string[] } {
  const upstream = {
    answer: ((_, response) => response.end()) as Handler,
    requests: [] as string[],
    url: (path = "/") => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
  };
  const server = createServer((request, response) => {
    upstream.requests.push(request.url ?? "");
    upstream.answer(request, response);
  }).listen(0, "127.0.0.1");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return upstream;
}
