import type {
  Adapter,
  AdapterDocument,
  AdapterFeed,
  Credentials,
  Cursor,
  GuardedFetch,
  JsonObject,
  Page,
  SyncContext,
} from "../adapter.ts";

/** What a runner keeps of one feed between runs: committed pages, and nothing else. */
export type FeedMemory = {
  cursor: Cursor;
  state: JsonObject | null;
  documents: Map<string, AdapterDocument>;
};

export type WalkSetup = {
  fetch: GuardedFetch;
  /** Parsed with the adapter's schema. Default `{}`. */
  config?: unknown;
  feed?: Partial<AdapterFeed>;
  credentials?: Credentials;
  now?: () => Date;
  signal?: AbortSignal;
  /** Stops after so many pages, as a crash would: what was committed stays. */
  crashAfterPages?: number;
};

export type WalkRecord = { pages: Page[]; warnings: string[] };

export function emptyMemory(): FeedMemory {
  return { cursor: { type: "none" }, state: null, documents: new Map() };
}

/**
 * Runs one sync as the runner does: each page is committed, cursor and state with it, before the
 * next one is asked for. `memory` holds what was committed, also when the sync throws.
 */
export async function walkAdapter(
  adapter: Adapter,
  setup: WalkSetup,
  memory: FeedMemory,
): Promise<WalkRecord> {
  const record: WalkRecord = { pages: [], warnings: [] };
  const context: SyncContext = {
    config: adapter.config.parse(setup.config ?? {}),
    feed: {
      id: "feed_test",
      externalKey: setup.feed?.url ?? "default",
      url: "default",
      name: null,
      config: {},
      ...setup.feed,
      state: memory.state,
    },
    cursor: memory.cursor,
    credentials: setup.credentials ?? { type: "none" },
    fetch: setup.fetch,
    signal: setup.signal ?? new AbortController().signal,
    log: { info() {}, warn: (code) => record.warnings.push(code) },
    now: setup.now ?? (() => new Date()),
  };
  for await (const page of pagesOf(adapter.sync(context))) {
    record.pages.push(page);
    commit(page, memory);
    if (record.pages.length === setup.crashAfterPages) break;
  }
  return record;
}

async function* pagesOf(result: ReturnType<Adapter["sync"]>): AsyncGenerator<Page> {
  if (Symbol.asyncIterator in result) yield* result;
  else yield await result;
}

function commit(page: Page, memory: FeedMemory): void {
  // State and cursor survive the database as JSON; what JSON loses is lost here too.
  if (page.state !== undefined) memory.state = JSON.parse(JSON.stringify(page.state));
  if (page.cursor !== undefined) memory.cursor = JSON.parse(JSON.stringify(page.cursor));
  for (const document of page.documents) memory.documents.set(document.key ?? document.id, document);
}

/** Ids of the live documents, in the order in which they first came. */
export function liveIds(memory: FeedMemory): string[] {
  return [...memory.documents.values()]
    .filter((document) => !document.deleted)
    .map((document) => document.id);
}
