import type { PollHints } from "@/sdk/adapter";

/** What the four formats have in common, after parsing and before identity. URLs are absolute. */
export type ParsedFeed = {
  format: "rss" | "rdf" | "atom" | "json";
  title?: string;
  /** The site the feed belongs to. */
  siteUrl?: string;
  items: ParsedItem[];
  /** Ids the feed says were deleted (RFC 6721). */
  deletedIds: string[];
  hints: PollHints;
  /** Where older entries are (RFC 5005, JSON Feed `next_url`). */
  older?: string;
  warnings: ParseWarning[];
  /** False when the text ended early: what was read is fine, there should have been more. */
  whole: boolean;
};

export type ParseWarning = { code: string; message: string };

export type ParsedItem = {
  /** As published; absent when the item has none. */
  id?: string;
  /** Link as published, when it is an absolute http(s) address; for identity. */
  rawLink?: string;
  link?: string;
  title?: string;
  body?: { text: string; format: "html" | "text" };
  summary?: string;
  author?: string;
  published?: Date;
  updated?: Date;
  categories: string[];
  enclosures: Enclosure[];
  image?: string;
  /** What identifies an item that has nothing else: title, date and body as published. */
  fingerprint: string;
};

export type Enclosure = { url: string; type?: string; bytes?: number; seconds?: number };

/** The bytes are not a feed, or cannot be parsed. `message` completes "The answer of HOST …". */
export class FeedUnreadable extends Error {
  override readonly name = "FeedUnreadable";
  constructor(
    readonly code: "not_a_feed" | "malformed",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
