import {
  type AdapterDocument,
  type Cursor,
  type GuardedResponse,
  type Page,
  type SyncContext,
  UpstreamError,
} from "@/sdk/adapter";
import { throwForStatus } from "../http-status";
import type { RssConfig } from "./config";
import { identifyItems } from "./identify";
import type { ParsedFeed } from "./parsed-feed";
import { mergeHints, readHttpHints } from "./polling-hints";
import { keepUserinfo, parseResponse, requestFeed } from "./request";
import {
  conditionalHeaders,
  hashBody,
  hashUrl,
  type RssState,
  readState,
  validatorsOf,
  writeState,
} from "./state";
import { toDocument, toTombstone } from "./to-document";
import { walkArchive } from "./walk-archive";

type Context = SyncContext<RssConfig>;

/**
 * Reads a feed once; on the first sync also its older pages. Walks from new to old, so the cursor
 * and the validators come with the last page: a crash repeats the walk and leaves no hole.
 *
 * Every item is handed over every time, deduplication is the store's. Absence deletes nothing.
 */
export async function* syncRss(ctx: Context): AsyncGenerator<Page> {
  const { url } = ctx.feed;
  const known = readState(ctx.feed.state, url);
  // Without a position everything is wanted, so nothing may be answered with "unchanged".
  const isFirst = ctx.cursor.type === "none" && !known?.undated;

  const response = await requestUnlessUnchanged(ctx, isFirst ? null : known);
  const moved = response.movedPermanently ? { movedTo: keepUserinfo(response.url, url) } : {};
  if (response.status === 304 && known) {
    yield { documents: [], state: writeState({ ...known, ...refreshed(known, response) }), ...moved };
    return;
  }

  throwForStatus(response, ctx.now());
  const bodyHash = hashBody(response.body);
  if (!isFirst && known?.bodyHash === bodyHash && known.answeredBy === hashUrl(response.url)) {
    yield { documents: [], state: writeState({ ...known, ...validatorsOf(response) }), ...moved };
    return;
  }

  const feed = parseResponse(response);
  for (const { code, message } of feed.warnings) ctx.log.warn(code, message);
  const collected = collect(feed, known?.repeated ?? []);
  let { repeated } = collected;
  let newest = newestOf(feed, ctx.now());
  const head: Page = {
    documents: collected.documents,
    hints: mergeHints(feed.hints, readHttpHints(response.headers, ctx.now())),
    ...(feed.title ? { feedTitle: feed.title } : {}),
    ...moved,
  };
  const finish = (): Pick<Page, "cursor" | "state" | "movedTo"> => ({
    // Said again on the last page: a walk that ended well is what makes a move count.
    ...moved,
    ...cursorAt(newest, ctx.cursor),
    state: writeState({
      askedFor: hashUrl(url),
      // A feed that ended early is to be read again, whatever the server says about change.
      ...(feed.whole ? { ...validatorsOf(response), bodyHash } : {}),
      repeated,
      undated: newest === null,
    }),
  });

  if (!isFirst || !feed.older || ctx.config.archivePages === 0) {
    yield { ...head, ...finish() };
    return;
  }

  const attempts = (known?.archiveAttempts ?? 0) + 1;
  yield { ...head, state: writeState({ askedFor: hashUrl(url), repeated, archiveAttempts: attempts }) };
  const seen = new Set(collected.documents.map(keyOf));
  const pagesSeen = new Set<string>();
  for await (const page of walkArchive(ctx, { start: feed.older, headUrl: response.url, attempts })) {
    const older = collect(page, repeated);
    repeated = older.repeated;
    newest = latest(newest, newestOf(page, ctx.now()));
    // Archives keep old versions of entries; what a newer page said stands.
    const fresh = older.documents.filter((document) => !seen.has(keyOf(document)));
    for (const document of fresh) seen.add(keyOf(document));
    // The same page under another address: a server that answers past the end with its last page.
    const contents = hashBody(Buffer.from(JSON.stringify(older.documents.map(keyOf))));
    if (pagesSeen.has(contents)) break;
    pagesSeen.add(contents);
    if (fresh.length > 0) yield { documents: fresh };
  }
  yield { documents: [], ...finish() };
}

/** Conditional GET. A 304 about another address than the validators' says nothing: asked again without. */
async function requestUnlessUnchanged(ctx: Context, known: RssState | null): Promise<GuardedResponse> {
  const headers = conditionalHeaders(known);
  const response = await requestFeed(ctx, ctx.feed.url, headers);
  if (response.status !== 304) return response;
  if (Object.keys(headers).length > 0 && known?.answeredBy === hashUrl(response.url)) return response;
  const again = await requestFeed(ctx, ctx.feed.url);
  if (again.status !== 304) return again;
  throw new UpstreamError(
    "protocol",
    `${new URL(again.url).host} answered 304 (not modified) to a request that named no earlier version.`,
    { retryable: true, status: 304 },
  );
}

/** A 304 may bring fresher validators; those it leaves out stay. */
function refreshed(known: RssState, response: GuardedResponse): Partial<RssState> {
  const sent = validatorsOf(response);
  return { etag: sent.etag ?? known.etag, lastModified: sent.lastModified ?? known.lastModified };
}

function collect(feed: ParsedFeed, repeatedBefore: readonly string[]) {
  const { items, repeated } = identifyItems(feed.items, repeatedBefore);
  const documents = items.map(toDocument);
  const present = new Set(documents.map(keyOf));
  const tombstones = [...new Set(feed.deletedIds)]
    .map(toTombstone)
    .filter((tombstone) => !present.has(keyOf(tombstone)));
  return { documents: [...documents, ...tombstones], repeated };
}

function keyOf(document: AdapterDocument): string {
  return document.key ?? document.id;
}

/** The newest date that has come: an item dated ahead must not carry the position with it. */
function newestOf(feed: ParsedFeed, now: Date): Date | null {
  const dates = feed.items.flatMap((item) => item.published ?? item.updated ?? []);
  const past = dates.filter((date) => date <= now);
  if (past.length === 0) return dates.length > 0 ? now : null;
  return past.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
}

function latest(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}

function cursorAt(newest: Date | null, cursor: Cursor): Pick<Page, "cursor"> {
  if (!newest) return {};
  const before = cursor.type === "date" ? Date.parse(cursor.value) : Number.NaN;
  if (before >= newest.getTime()) return {};
  return { cursor: { type: "date", value: newest.toISOString() } };
}
