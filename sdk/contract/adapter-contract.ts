import { type Adapter, type AdapterDocument, UpstreamError } from "../adapter.ts";
import { invalidOption } from "../errors.ts";
import { assert, byteLength, isSame, rejection } from "./assertions.ts";
import { checkDocument, checkNotBeyond, isBehind } from "./check-page.ts";
import { abortable, answering } from "./stub-fetch.ts";
import { emptyMemory, type FeedMemory, liveIds, type WalkSetup, walkAdapter } from "./walk-adapter.ts";

export type ContractSetup = Pick<WalkSetup, "config" | "feed" | "credentials" | "now"> & {
  /**
   * A fake upstream that never changes and answers every request an ordinary sync makes.
   * Several pages make the checks worth more.
   */
  fetch: WalkSetup["fetch"];
  /** Every document the upstream holds, in any order. */
  externalIds: readonly string[];
};

/** What vitest, jest, mocha and node:test have in common. */
export type TestFramework = {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
};

type Check = { name: string; run: () => Promise<void> };

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
 * import { describe, it } from "node:test"; // or vitest, jest, mocha
 * describeAdapterContract(jsonLines, { config, fetch: fakeUpstream, externalIds: ["a", "b"] }, { describe, it });
 * ```
 *
 * @param framework Absent: the global `describe` and `it`.
 */
export function describeAdapterContract(
  adapter: Adapter,
  setup: ContractSetup,
  framework: Partial<TestFramework> = globalThis as Partial<TestFramework>,
): void {
  const { describe, it } = framework;
  if (!describe || !it) {
    throw invalidOption("There are no global `describe` and `it`: give those of your test runner.");
  }
  describe(`adapter contract: ${adapter.type}`, () => {
    for (const { name, run } of adapterContract(adapter, setup)) it(name, run);
  });
}

/** The checks by themselves. Each throws ContractBroken where the adapter breaks its promise. */
export function adapterContract(adapter: Adapter, setup: ContractSetup): Check[] {
  const sync = (memory: FeedMemory, more: Partial<WalkSetup> = {}) =>
    walkAdapter(adapter, { ...setup, ...more }, memory);
  const expected = [...setup.externalIds].sort();
  const checkAll = (memory: FeedMemory, when: string) =>
    assert(
      isSame(liveIds(memory).sort(), expected),
      `${when} must bring ${expected.join(", ")}.`,
      liveIds(memory),
    );

  return [
    {
      name: "delivers every document, each once",
      async run() {
        const memory = emptyMemory();
        const { pages } = await sync(memory);
        checkAll(memory, "A sync");
        for (const page of pages) {
          const keys = page.documents.map((document) => document.key ?? document.id);
          assert(new Set(keys).size === keys.length, "A page names a document twice.", keys);
          for (const document of page.documents) checkDocument(document);
        }
      },
    },
    {
      name: "loses nothing when it is stopped after any page and started again",
      async run() {
        const { pages } = await sync(emptyMemory());
        for (let crashAfterPages = 1; crashAfterPages < pages.length; crashAfterPages++) {
          const memory = emptyMemory();
          await sync(memory, { crashAfterPages });
          await sync(memory);
          checkAll(memory, `Stopped after page ${crashAfterPages} and started again, a sync`);
        }
      },
    },
    {
      name: "finds nothing unknown when nothing changed, and does not go back",
      async run() {
        const memory = emptyMemory();
        await sync(memory);
        const before = structuredClone(memory);
        await sync(memory);
        const isUnchanged = isSame([...memory.documents], [...before.documents]);
        assert(isUnchanged, "A second sync of an unchanged upstream brought something else.");
        assert(!isBehind(memory.cursor, before.cursor), "The cursor went back.", memory.cursor);
      },
    },
    {
      name: "sends cursors of its declared type, none beyond what it delivered",
      async run() {
        const { pages } = await sync(emptyMemory());
        const delivered: AdapterDocument[] = [];
        for (const { documents, cursor } of pages) {
          delivered.push(...documents);
          if (!cursor) continue;
          assert(cursor.type === adapter.watermark, `Cursors must be of type ${adapter.watermark}.`, cursor);
          checkNotBeyond(cursor, delivered);
        }
      },
    },
    { name: "stops when aborted", run: () => checkAbort(sync, setup) },
    {
      name: "reports Retry-After, and a server error as passing",
      async run() {
        const now = setup.now?.() ?? new Date();
        const limited = answering(429, { "retry-after": "90" });
        const error = await rejection(
          sync(emptyMemory(), { fetch: limited, now: () => now }),
          "An upstream that answers 429 must end the sync with an UpstreamError.",
        );
        const found = error instanceof UpstreamError ? { code: error.code, ...error.info } : error;
        const retryAt = new Date(now.getTime() + 90_000);
        const isRight =
          error instanceof UpstreamError &&
          error.code === "rate_limited" &&
          error.info.retryable &&
          error.info.retryAt?.getTime() === retryAt.getTime();
        assert(isRight, `429 must be "rate_limited", retryable, with retryAt from Retry-After.`, found);

        const broken = await rejection(
          sync(emptyMemory(), { fetch: answering(500, {}) }),
          "An upstream that answers 500 must end the sync with an UpstreamError.",
        );
        const isPassing =
          broken instanceof UpstreamError && broken.code === "unavailable" && broken.info.retryable;
        assert(isPassing, `500 must be "unavailable" and retryable.`, broken);
      },
    },
    {
      name: "keeps its private state small",
      async run() {
        const memory = emptyMemory();
        await sync(memory);
        const bytes = byteLength(JSON.stringify(memory.state));
        assert(bytes <= MAX_STATE_BYTES, `The state must stay within ${MAX_STATE_BYTES} bytes.`, bytes);
      },
    },
  ];
}

async function checkAbort(
  sync: (memory: FeedMemory, more: Partial<WalkSetup>) => Promise<unknown>,
  setup: ContractSetup,
): Promise<void> {
  const reason = new Error("lease lost");
  const before = new AbortController();
  before.abort(reason);
  const mustEnd = "An aborted signal must end the sync with the signal's reason.";
  const first = sync(emptyMemory(), { signal: before.signal, fetch: abortable(setup.fetch) });
  assert((await rejection(first, mustEnd)) === reason, mustEnd);

  // Aborted while the first request is on its way: nothing of it may be delivered.
  const during = new AbortController();
  const memory = emptyMemory();
  const fetch = abortable(async (url, init) => {
    during.abort(reason);
    return setup.fetch(url, init);
  });
  const second = sync(memory, { signal: during.signal, fetch });
  assert((await rejection(second, mustEnd)) === reason, mustEnd);
  assert(memory.documents.size === 0, "Nothing may be delivered once the signal is aborted.");
}
