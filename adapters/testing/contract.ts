import { describe, expect, it } from "vitest";
import {
  type Adapter,
  type AdapterDocument,
  type AdapterFeed,
  type Credentials,
  type Cursor,
  type GuardedFetch,
  type GuardedResponse,
  UpstreamError,
} from "@/sdk/adapter";
import { emptyMemory, type FeedMemory, liveIds, runSync } from "./run-sync";

export type ContractSetup = {
  /** As a person would save it; parsed with the adapter's own schema. */
  config?: unknown;
  feed?: Partial<AdapterFeed>;
  credentials?: Credentials;
  /**
   * A fake upstream that never changes and answers every request an ordinary sync makes.
   * Several pages make the checks worth more.
   */
  fetch: GuardedFetch;
  /** Every document the upstream holds, in any order. */
  externalIds: readonly string[];
  /** The time the fake lives in. Default: now. */
  now?: () => Date;
};

const MAX_ID_BYTES = 8192;
const MAX_STATE_BYTES = 64 * 1024;

/**
 * The tests every adapter passes, whatever it talks to:
 *
 * - every document arrives, once per sync; ids are non-empty, bounded and unique within a page
 * - stopped after any page and started again from what was committed, nothing is missing
 * - a second sync of an unchanged upstream brings nothing unknown and does not go back
 * - no cursor is beyond what was delivered; its type is the declared one
 * - an aborted signal ends the sync with the signal's reason and no further page
 * - 429 becomes `rate_limited` with the time from Retry-After; a server error `unavailable`
 * - cursors and state survive JSON, and state stays small
 *
 * ```ts
 * describeAdapterContract(jsonLines, { config, fetch: fakeUpstream, externalIds: ["a", "b", "c"] });
 * ```
 */
export function describeAdapterContract(adapter: Adapter, setup: ContractSetup): void {
  const sync = (memory: FeedMemory, more: Partial<Parameters<typeof runSync>[1]> = {}) =>
    runSync(adapter, { ...setup, ...more }, memory);
  const expected = [...setup.externalIds].sort();

  describe(`adapter contract: ${adapter.type}`, () => {
    it("delivers every document, each once", async () => {
      const memory = emptyMemory();
      const { pages } = await sync(memory);

      expect(liveIds(memory).sort()).toEqual(expected);
      for (const page of pages) {
        const keys = page.documents.map((document) => document.key ?? document.id);
        expect(new Set(keys).size).toBe(keys.length);
        for (const document of page.documents) checkDocument(document);
      }
    });

    it("loses nothing when it is stopped after any page and started again", async () => {
      const { pages } = await sync(emptyMemory());

      for (let crashAfterPages = 1; crashAfterPages < pages.length; crashAfterPages++) {
        const memory = emptyMemory();
        await sync(memory, { crashAfterPages });
        await sync(memory);
        expect(liveIds(memory).sort()).toEqual(expected);
      }
    });

    it("finds nothing unknown when nothing changed, and does not go back", async () => {
      const memory = emptyMemory();
      await sync(memory);
      const before = structuredClone(memory);

      await sync(memory);

      expect([...memory.documents]).toEqual([...before.documents]);
      expect(isBehind(memory.cursor, before.cursor)).toBe(false);
    });

    it("sends cursors of its declared type, none beyond what it delivered", async () => {
      const { pages } = await sync(emptyMemory());

      const delivered: AdapterDocument[] = [];
      for (const page of pages) {
        delivered.push(...page.documents);
        if (!page.cursor) continue;
        expect(page.cursor.type).toBe(adapter.watermark);
        checkNotBeyond(page.cursor, delivered);
      }
    });

    it("stops when aborted", async () => {
      const reason = new Error("lease lost");
      const before = new AbortController();
      before.abort(reason);
      await expect(
        sync(emptyMemory(), { signal: before.signal, fetch: abortable(setup.fetch) }),
      ).rejects.toBe(reason);

      // Aborted while the first request is on its way: nothing of it may be delivered.
      const during = new AbortController();
      const memory = emptyMemory();
      const fetch = abortable(async (url, init) => {
        during.abort(reason);
        return setup.fetch(url, init);
      });
      await expect(sync(memory, { signal: during.signal, fetch })).rejects.toBe(reason);
      expect(memory.documents.size).toBe(0);
    });

    it("reports Retry-After, and a server error as passing", async () => {
      const now = setup.now?.() ?? new Date();
      const limited = answer(429, { "retry-after": "90" });
      const error = await sync(emptyMemory(), { fetch: limited, now: () => now }).catch((e) => e);
      expect(error).toBeInstanceOf(UpstreamError);
      expect(error).toMatchObject({
        code: "rate_limited",
        info: { retryable: true, retryAt: new Date(now.getTime() + 90_000) },
      });

      await expect(sync(emptyMemory(), { fetch: answer(500, {}) })).rejects.toMatchObject({
        code: "unavailable",
        info: { retryable: true },
      });
    });

    it("keeps its private state small", async () => {
      const memory = emptyMemory();
      await sync(memory);

      expect(Buffer.byteLength(JSON.stringify(memory.state))).toBeLessThanOrEqual(MAX_STATE_BYTES);
    });
  });
}

function checkDocument(document: AdapterDocument): void {
  expect(document.id).not.toBe("");
  expect(Buffer.byteLength(document.id)).toBeLessThanOrEqual(MAX_ID_BYTES);
  if (document.date !== undefined) expect(Number.isNaN(Date.parse(document.date))).toBe(false);
  if (document.version !== undefined) {
    expect(/^\d{1,38}$/.test(document.version) || !Number.isNaN(Date.parse(document.version))).toBe(true);
  }
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
}

function checkNotBeyond(cursor: Cursor, delivered: AdapterDocument[]): void {
  if (cursor.type === "date") {
    const newest = Math.max(
      ...delivered.map((document) => Date.parse(document.date ?? "")).filter(Number.isFinite),
    );
    expect(Date.parse(cursor.value)).toBeLessThanOrEqual(newest);
  }
  if (cursor.type === "idSet") {
    for (const id of cursor.recent) expect(delivered.some((document) => document.id === id)).toBe(true);
  }
}

function isBehind(cursor: Cursor, before: Cursor): boolean {
  if (cursor.type === "date" && before.type === "date")
    return Date.parse(cursor.value) < Date.parse(before.value);
  if (cursor.type === "idSet" && before.type === "idSet") return compareIds(cursor.high, before.high) < 0;
  return cursor.type !== before.type;
}

function compareIds(a: string, b: string): number {
  const [left, right] = [a, b].map((id) => (/^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, "") : id)) as [
    string,
    string,
  ];
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** A fake need not watch the signal; the real fetch does. */
function abortable(fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    init?.signal?.throwIfAborted();
    const response = await fetch(url, init);
    init?.signal?.throwIfAborted();
    return response;
  };
}

function answer(status: number, headers: Record<string, string>): GuardedFetch {
  return async (url): Promise<GuardedResponse> => ({
    status,
    headers,
    body: new Uint8Array(0),
    url: String(url),
    movedPermanently: false,
  });
}
