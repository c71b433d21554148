import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GuardedFetch, UpstreamError } from "@/sdk/adapter";
import { createGuardedFetch } from "../http";
import { parseDate } from "../parse-date";
import { emptyMemory, runSync } from "../testing/run-sync";
import { LOOPBACK, startUpstream } from "../testing/upstream";
import { rss } from ".";
import { decodeText } from "./decode-text";
import { parseFeed } from "./parse-feed";

/**
 * Other parsers' test files, read from the folder in TIDEMARK_FEED_CORPUS (`manifest.json`,
 * `dates.json`; format in its README). Skipped without it.
 */
const folder = process.env.TIDEMARK_FEED_CORPUS ?? "";
const present = folder !== "" && existsSync(join(folder, "manifest.json"));

type Expected = {
  title?: string;
  entries?: number;
  siteLink?: string;
  firstEntry?: {
    id?: string;
    title?: string;
    titlePrefix?: string;
    link?: string;
    summary?: string;
    date?: string;
    dateField?: "published" | "updated";
  };
  error?: boolean;
  /** Refusing and salvaging are both fine. */
  malformed?: boolean;
  noCrash?: boolean;
  encoding?: string;
  bodyBytesPreserved?: boolean;
};

type Entry = {
  file: string;
  expected: Expected;
  http?: { contentType?: string; headers?: Record<string, string> };
  baseUrl?: string;
};

const readJson = (name: string) => (present ? JSON.parse(readFileSync(join(folder, name), "utf8")) : []);

describe.skipIf(!present)("feed corpus", () => {
  it.each<Entry>(readJson("manifest.json"))("$file", async ({ file, expected, http, baseUrl }) => {
    const bytes = readFileSync(join(folder, file));
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, {
        ...(http?.contentType ? { "content-type": http.contentType } : {}),
        ...http?.headers,
      });
      response.end(bytes);
    });
    const guarded = createGuardedFetch({ allowPrivateNetworks: LOOPBACK });
    let received: Uint8Array = new Uint8Array(0);
    // Really fetched, then said to come from where its publisher had it.
    const fetch: GuardedFetch = async (_, init) => {
      const response = await guarded(`${upstream.origin}/feed`, init);
      received = response.body;
      return { ...response, url: baseUrl ?? "http://example.com/feed" };
    };
    const sync = () =>
      runSync(
        rss,
        { fetch, feed: { url: "http://example.com/feed" }, config: { archivePages: 0 } },
        emptyMemory(),
      );

    const outcome = await sync().catch((error: unknown) => error);
    if (expected.error === true || outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(UpstreamError);
      expect(expected.error === true || expected.malformed === true || expected.noCrash === true).toBe(true);
      return;
    }
    const again = await sync();
    const { pages } = outcome as Awaited<ReturnType<typeof sync>>;
    const documents = pages.flatMap((page) => page.documents);
    const [first] = documents;
    const want = expected.firstEntry;

    // The same bytes give the same ids.
    expect(again.pages.flatMap((page) => page.documents)).toEqual(documents);
    if (expected.title !== undefined) expect(pages[0]?.feedTitle).toBe(expected.title);
    if (expected.entries !== undefined) expect(documents).toHaveLength(expected.entries);
    if (expected.siteLink !== undefined) {
      const feed = parseFeed(bytes, http?.contentType, baseUrl ?? "http://example.com/feed");
      expect(feed.siteUrl).toBe(new URL(expected.siteLink).href);
    }
    if (want?.id !== undefined) expect(first?.id).toBe(want.id);
    if (want?.title !== undefined) expect(first?.title).toBe(want.title);
    if (want?.titlePrefix !== undefined) expect(first?.title?.startsWith(want.titlePrefix)).toBe(true);
    if (want?.link !== undefined) expect(first?.url).toBe(new URL(want.link).href);
    if (want?.summary !== undefined) expect([first?.metadata?.summary, first?.text]).toContain(want.summary);
    if (want?.date !== undefined) {
      const date = want.dateField === "updated" ? (first?.metadata?.updated ?? first?.date) : first?.date;
      expect(toSecond(Date.parse(String(date)))).toBe(toSecond(Date.parse(want.date)));
    }
    if (expected.encoding !== undefined) {
      expect(decodeText(bytes, http?.contentType).encoding).toBe(new TextDecoder(expected.encoding).encoding);
    }
    if (expected.bodyBytesPreserved) expect(Buffer.from(received).equals(bytes)).toBe(true);
  });

  it.each<{ input: string; expected?: string | null; mustParse?: boolean }>(readJson("dates.json"))(
    "date $input",
    ({ input, expected, mustParse }) => {
      const date = parseDate(input);
      if (mustParse) expect(date).not.toBeNull();
      else expect(date && toSecond(date.getTime())).toBe(expected ? toSecond(Date.parse(expected)) : null);
    },
  );
});

function toSecond(instant: number): number {
  return Math.floor(instant / 1000);
}
