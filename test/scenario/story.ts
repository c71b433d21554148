/** One sync as a program does it: three pages, of which the last is overtaken by another program. */
export type Page = { documents: ScenarioDocument[]; cursor: string };
export type ScenarioDocument = {
  id: string;
  version?: string;
  title?: string;
  text?: string;
  url?: string;
  author?: string;
  date?: string;
  format?: "text" | "html" | "markdown";
  metadata?: Record<string, string>;
  deleted?: boolean;
};

export const SOURCE = { type: "api", name: "Tides", key: "tides" } as const;
export const FEED = { externalKey: "gauge-7", name: "Gauge 7", watermark: "idSet" } as const;

export const PAGES: readonly Page[] = [
  {
    cursor: "2",
    documents: [
      { id: "1", version: "1", title: "Ebb", text: "The sea went out.", metadata: { lang: "en" } },
      {
        id: "2",
        version: "1",
        title: "Flood",
        text: "<p>It came back.</p>",
        format: "html",
        url: "https://tides.example/2",
        author: "Ada",
        date: "2026-06-14T08:59:00Z",
      },
    ],
  },
  {
    cursor: "4",
    documents: [
      { id: "1", version: "2", title: "Ebb, corrected", text: "The sea went far out." },
      { id: "3", version: "7", deleted: true },
      { id: "4", version: "not a version" },
    ],
  },
  // By now another program has pushed up to 6.
  { cursor: "5", documents: [{ id: "5", version: "1", title: "Slack" }] },
];

/** What the other program pushes between the second page and the third. */
export const OTHERS: Page = { cursor: "6", documents: [{ id: "6", version: "1", title: "Neap" }] };

/** What a fetch from cursor 6 brings: the rest, after the conflict. */
export const REST: Page = { cursor: "8", documents: [{ id: "8", version: "1", title: "Spring" }] };

/** Speaks one transport. */
export type Driver = {
  ensureSource(): Promise<string>;
  ensureFeed(sourceId: string): Promise<string>;
  /**
   * Starts a run, pushes the pages with their cursors, and after the conflict what comes from the returned
   * cursor on; ends the run as succeeded.
   *
   * @param interfere Called between the second page and the third.
   */
  sync(feed: { sourceId: string; feedId: string }, interfere: () => Promise<void>): Promise<void>;
  readBack(feedId: string): Promise<ReadBack>;
};

export type ReadBack = { cursor: string | null; documentCount: number; ids: string[] };

/** What a push must say for a driver to go on. */
export type Pushed = { cursor: string | null; cursorOutcome: string; conflict: boolean };

/** The pages in order, then the rest from the cursor that the conflict left. The SDK does this by itself. */
export async function pushStory(
  started: string | null,
  push: (page: Page, cursorBefore: string | null) => Promise<Pushed>,
  interfere: () => Promise<void>,
): Promise<void> {
  let before = started;
  for (const [n, page] of PAGES.entries()) {
    if (n === 2) await interfere();
    const { cursor, cursorOutcome, conflict } = await push(page, before);
    before = cursor;
    if (conflict && cursorOutcome === "kept") {
      await push(REST, before);
      return;
    }
  }
  throw new Error("nobody was overtaken");
}
