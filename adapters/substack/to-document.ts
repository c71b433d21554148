import type { AdapterDocument, JsonObject } from "@/sdk/adapter";
import { resolveHtmlLinks } from "../rss/html-links";
import type { Remembered } from "./memory";
import type { ListedPost } from "./parse";

/** Of the words a post is said to have, so many make its text whole; captions and the like count or not. */
const WHOLE_SHARE = 0.8;

/** What became of reading a post's text. */
export type Outcome = {
  /** Null when something fuller was handed over before: the store replaces documents, it merges nothing. */
  document: AdapterDocument | null;
  /** Length and completeness of what the store has after this. */
  length: number;
  teaser: boolean;
};

/**
 * Decides what to hand over of a post. A text that is or may be a teaser never follows a longer
 * one; only one that is surely whole may be shorter than the last.
 *
 * @param known What was handed over before, if it is remembered.
 * @param maybeKnown True when something may have been handed over that is not remembered.
 */
export function decideOutcome(
  post: ListedPost,
  html: string | null,
  known: Remembered | undefined,
  maybeKnown: boolean,
): Outcome {
  const body = html?.trim() ? html : null;
  const teaser = body === null || !isWhole(post, body);
  const length = body?.length ?? 0;
  if (teaser && (maybeKnown || (known && known.length > length))) {
    return { document: null, length: known?.length ?? 0, teaser: true };
  }
  return { document: toDocument(post, body, teaser), length, teaser };
}

function isWhole(post: ListedPost, body: string): boolean {
  if (post.audience === undefined || post.audience === "everyone") return true;
  return post.words !== undefined && countWords(body) >= post.words * WHOLE_SHARE;
}

function countWords(html: string): number {
  const text = html.replace(/<[^<>]*>/g, " ");
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0;
}

/** There is no version, Substack numbers nothing: all that makes an edit visible is in a hashed field. */
function toDocument(post: ListedPost, body: string | null, teaser: boolean): AdapterDocument {
  const { id, title, url, authors, date } = post;
  const excerpt = post.excerpt ?? post.description;
  return {
    id,
    ...(title ? { title } : {}),
    ...(body !== null
      ? { text: url ? resolveHtmlLinks(body, url) : body, format: "html" as const }
      : excerpt
        ? { text: excerpt, format: "text" as const }
        : {}),
    ...(url ? { url } : {}),
    ...(authors.length > 0 ? { author: authors.join(", ") } : {}),
    ...(date ? { date: date.toISOString() } : {}),
    metadata: metadataOf(post, teaser),
  };
}

function metadataOf(post: ListedPost, teaser: boolean): JsonObject {
  return {
    slug: post.slug,
    ...(post.subtitle ? { subtitle: post.subtitle } : {}),
    ...(post.type ? { type: post.type } : {}),
    ...(post.audience ? { audience: post.audience } : {}),
    ...(teaser ? { teaser: true } : {}),
    ...(post.description ? { summary: post.description } : {}),
    ...(post.tags.length > 0 ? { categories: post.tags } : {}),
    ...(post.audio ? { enclosures: [{ url: post.audio }] } : {}),
    ...(post.image ? { image: post.image } : {}),
  };
}
