import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { log } from "@/server/log";

/** Between tries to connect again, and between hints that nobody is listening meanwhile. */
const RETRY_MS = { first: 250, longest: 5_000 };
/** A connection that a firewall forgot looks alive for ever unless it is asked. */
const PROBE_MS = 15_000;
const PROBE_TIMEOUT_MS = 5_000;

export type Listener = { end(): Promise<void> };

/** How old a page may be where nothing can be heard from other processes. */
const BLIND_MS = 5_000;

/** In place of a listener where there is only a transaction pooler, through which LISTEN hears nothing. */
export function createBlindListener(onGap: () => void): Listener {
  const timer = setInterval(onGap, BLIND_MS);
  timer.unref();
  return { end: async () => clearInterval(timer) };
}

/**
 * The process's one LISTEN connection, made again whenever it is lost.
 *
 * @param url of the server itself: behind a transaction pooler LISTEN hears nothing.
 * @param channels names of ours; they are not quoted.
 * @param onGap called when something may have been missed: again and again while there is no connection,
 *   and once more when there is one.
 */
export function createListener(
  url: string,
  channels: readonly string[],
  { onMessage, onGap }: { onMessage(payload: string, channel: string): void; onGap(): void },
): Listener {
  const ending = new AbortController();
  const loop = listenForEver();

  async function listenForEver(): Promise<void> {
    let retryMs = RETRY_MS.first;
    let missed = false;
    while (!ending.signal.aborted) {
      try {
        await listenOnce(() => {
          retryMs = RETRY_MS.first;
          if (missed) onGap();
        });
      } catch (error) {
        if (!ending.signal.aborted) log.warn({ err: error }, "live: the LISTEN connection was lost");
      }
      if (ending.signal.aborted) return;
      missed = true;
      onGap();
      await delay(retryMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      retryMs = Math.min(retryMs * 2, RETRY_MS.longest);
    }
  }

  /** Resolves or throws when the connection is over. */
  async function listenOnce(onListening: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: "tidemark-live",
      keepAlive: true,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
    });
    let onEnding = () => {};
    const over = new Promise<void>((resolve, reject) => {
      client.once("error", reject);
      client.once("end", resolve);
      onEnding = resolve;
    });
    ending.signal.addEventListener("abort", onEnding, { once: true });
    over.catch(() => {}); // it may be lost while it is still being made
    client.on("notification", ({ payload, channel }) => onMessage(payload ?? "", channel));
    let probe: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      await client.query(channels.map((channel) => `LISTEN ${channel}`).join("; "));
      onListening();
      probe = setInterval(() => {
        client.query("SELECT 1").catch(() => void client.end().catch(() => {}));
      }, PROBE_MS);
      probe.unref();
      await over;
    } finally {
      clearInterval(probe);
      // One more with every connection that is lost would be a leak, and Node says so after ten.
      ending.signal.removeEventListener("abort", onEnding);
      client.on("error", () => {});
      await client.end().catch(() => {});
    }
  }

  return {
    async end() {
      ending.abort();
      await loop;
    },
  };
}
