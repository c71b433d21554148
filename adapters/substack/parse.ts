import { createHash } from "node:crypto";
import { parseDate } from "../parse-date";
import { type ExactJson, parseExactJson } from "../rss/read-json";
import { toHttpUrl } from "../rss/urls";

/** One post as the archive lists it: everything but its text. */
export type ListedPost = {
  /** As published, digit for digit. */
  id: string;
  slug: string;
  title?: string;
  subtitle?: string;
  description?: string;
  /** The beginning of the text, for posts whose text cannot be read. */
  excerpt?: string;
  type?: string;
  /** `everyone`, `only_paid`, `founding`, …; absent when the upstream does not say. */
  audience?: string;
  date?: Date;
  url?: string;
  authors: string[];
  tags: string[];
  image?: string;
  audio?: string;
  /** Words of the whole text, also where only a teaser can be read. */
  words?: number;
  /** Changes when anything above does. Counts of likes and comments are not above. */
  fingerprint: string;
};

/** The bytes are not what this address answers with. `message` completes "HOST answered …". */
export class NotSubstack extends Error {
  override readonly name = "NotSubstack";
}

/**
 * The archive's answer: an array, newest first, possibly shorter than asked for.
 *
 * @returns The posts, and how many entries had to be left out for want of an id or slug.
 * @throws NotSubstack
 */
export function parseArchive(bytes: Uint8Array): { posts: ListedPost[]; unusable: number } {
  const json = readJson(bytes);
  if (!Array.isArray(json)) throw new NotSubstack("with something else than a list of posts.");
  const posts = json.flatMap((entry) => toListed(entry) ?? []);
  if (json.length > 0 && posts.length === 0) throw new NotSubstack("with a list, but not of posts.");
  return { posts, unusable: json.length - posts.length };
}

/**
 * One post's text.
 *
 * @returns `html` is null when the text is kept from this reader.
 * @throws NotSubstack
 */
export function parsePost(bytes: Uint8Array): { id?: string; html: string | null } {
  const json = readJson(bytes);
  if (!isRecord(json) || !("slug" in json || "body_html" in json)) {
    throw new NotSubstack("with something else than a post.");
  }
  return { id: textOf(json.id), html: textOf(json.body_html) ?? null };
}

function readJson(bytes: Uint8Array): ExactJson {
  const text = new TextDecoder().decode(bytes).trim();
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new NotSubstack(text.startsWith("<") ? "with a web page." : "with something that is not JSON.", {
      cause: error,
    });
  }
}

function toListed(entry: ExactJson): ListedPost | null {
  if (!isRecord(entry)) return null;
  const id = textOf(entry.id);
  const slug = textOf(entry.slug);
  if (!id || !slug) return null;
  const words = Number(textOf(entry.wordcount) ?? Number.NaN);
  const post: Omit<ListedPost, "fingerprint"> = {
    id,
    slug,
    title: textOf(entry.title),
    subtitle: textOf(entry.subtitle),
    description: textOf(entry.description),
    excerpt: textOf(entry.truncated_body_text),
    type: textOf(entry.type),
    audience: textOf(entry.audience),
    date: parseDate(textOf(entry.post_date) ?? "") ?? undefined,
    url: toHttpUrl(textOf(entry.canonical_url)),
    authors: namesIn(entry.publishedBylines),
    tags: namesIn(entry.postTags),
    image: toHttpUrl(textOf(entry.cover_image)),
    audio: toHttpUrl(textOf(entry.podcast_url)),
    words: Number.isSafeInteger(words) && words > 0 ? words : undefined,
  };
  return { ...post, fingerprint: shortHash(JSON.stringify(post)) };
}

function namesIn(list: ExactJson | undefined): string[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, 50).flatMap((entry) => (isRecord(entry) ? (textOf(entry.name) ?? []) : []));
}

function textOf(value: ExactJson | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function isRecord(value: ExactJson): value is { [key: string]: ExactJson } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** 48 bits: enough to tell a post from its next edit, small enough to remember two thousand. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}
