import { z } from "zod";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { PendingHints } from "./pending-hints";
import { LIVE_KINDS, type LiveHint } from "./schema";

export const CHANNEL = "tidemark_live";

/** What is published within this time travels in one statement. Unnoticeable to people. */
const FLUSH_MS = 100;
/** PostgreSQL refuses payloads of 8,000 bytes; ids are ASCII. */
const MAX_PAYLOAD = 7_500;
/** A database that is away for longer makes every listener read everything again anyway. */
const MAX_TRIES = 3;
const RETRY_MS = 1_000;

const payloadShape = z.object({
  /** The process that sent it, which told its own listeners itself. */
  origin: z.string(),
  workspaceId: z.int(),
  hints: z.array(
    z.object({ kind: z.enum(LIVE_KINDS).or(z.literal("all")), ids: z.array(z.string()).nullable() }),
  ),
});
export type LivePayload = z.infer<typeof payloadShape>;

/** Null for what another version, or another program, sent on our channel. */
export function readPayload(text: string): LivePayload | null {
  try {
    return payloadShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export type Publisher = {
  add(workspaceId: number, hints: LiveHint[]): void;
  /** Sends what waits, now. */
  flush(): Promise<void>;
};

/** Collects hints and sends them to the other processes, one statement per tenth of a second at most. */
export function createPublisher(db: Db, origin: string): Publisher {
  let pending = new Map<number, PendingHints>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;
  let failures = 0;

  function schedule(afterMs: number): void {
    timer ??= setTimeout(() => void flush(), afterMs);
    timer.unref();
  }

  function add(workspaceId: number, hints: LiveHint[]): void {
    let waiting = pending.get(workspaceId);
    if (!waiting) {
      waiting = new PendingHints();
      pending.set(workspaceId, waiting);
    }
    for (const hint of hints) waiting.add(hint);
    if (!sending) schedule(FLUSH_MS);
  }

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    await sending;
    const batch = pending;
    if (batch.size === 0) return;
    pending = new Map();
    sending = send(batch).finally(() => {
      sending = null;
      if (pending.size > 0) schedule(failures > 0 ? RETRY_MS : FLUSH_MS);
    });
    await sending;
  }

  async function send(batch: Map<number, PendingHints>): Promise<void> {
    const taken = [...batch].map(([workspaceId, hints]) => ({ workspaceId, hints: hints.take() }));
    try {
      const payloads = taken.map(({ workspaceId, hints }) => toPayload(origin, workspaceId, hints));
      // Raw because Prisma has no NOTIFY. Alone in its transaction: it holds a cluster-wide lock until
      // the commit, which here follows at once.
      await db.$queryRaw`SELECT pg_notify(${CHANNEL}, p)::text FROM unnest(${payloads}::text[]) AS p`;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures >= MAX_TRIES) {
        failures = 0;
        log.warn({ err: error }, "live hints could not be sent");
        return;
      }
      for (const { workspaceId, hints } of taken) add(workspaceId, hints);
    }
  }

  return { add, flush };
}

function toPayload(origin: string, workspaceId: number, hints: LiveHint[]): string {
  const payload: LivePayload = { origin, workspaceId, hints };
  const text = JSON.stringify(payload);
  if (text.length <= MAX_PAYLOAD) return text;
  return JSON.stringify({ ...payload, hints: hints.map(({ kind }) => ({ kind, ids: null })) });
}
