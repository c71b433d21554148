import type { JsonObject, JsonValue } from "@/sdk/adapter";
import { shortHash } from "./parse";

/** Room below the 64 KiB a state may have. */
const MAX_BYTES = 60_000;

/** Posts known from the RSS feed alone; the feed shows about 20 at a time. */
const MAX_PROVISIONAL = 100;

/** A post that was dealt with. */
export type Remembered = {
  /** Of the listing when its text was read; "" = read it again. */
  fingerprint: string;
  /** Short hash of the slug. */
  slug: string;
  /** Characters of the longest text handed over. */
  length: number;
  /** What was handed over was not, or not surely, the whole text. */
  teaser: boolean;
};

/** A walk that has not come to its end. */
export type UnfinishedWalk = {
  /** Everything before this offset was dealt with. */
  offset: number;
  /** It began without a position. */
  first: boolean;
  /** It is to read the archive to the end. */
  full: boolean;
};

/** What a feed's syncs remember of each other: the adapter's private state. */
export class Memory {
  readonly posts = new Map<string, Remembered>();
  /** Short hash of a slug → id under which the post came from the RSS feed, while its own was unknown. */
  readonly provisional = new Map<string, string>();
  /** The origin that answered the API. */
  apiOrigin: string | null = null;
  /** When the archive was last read to the end. */
  fullWalkAt: Date | null = null;
  walk: UnfinishedWalk | null = null;
  /** Short hash of the cookie sent. */
  cookie: string | null = null;
  /** The publication has posts, none of them dated: no cursor does not mean no sync yet. */
  undated = false;
  /** Greatest id there was no room for: posts up to it may have been seen. */
  private forgottenUpTo: string | null = null;

  constructor(state: JsonObject | null) {
    if (!state) return;
    for (const line of strings(state.posts)) {
      const [fingerprint = "", slug = "", length = "", ...id] = line.split(" ");
      this.posts.set(id.join(" "), {
        fingerprint: fingerprint === "-" ? "" : fingerprint,
        slug,
        length: Number.parseInt(length, 36) || 0,
        teaser: length.endsWith("."),
      });
    }
    for (const id of strings(state.provisional)) this.provisional.set(slugMark(slugOf(id) ?? id), id);
    const { apiOrigin, fullWalkAt, cookie, forgottenUpTo, walk } = state;
    if (typeof apiOrigin === "string") this.apiOrigin = apiOrigin;
    if (typeof fullWalkAt === "string") this.fullWalkAt = new Date(fullWalkAt);
    if (typeof cookie === "string") this.cookie = cookie;
    if (typeof forgottenUpTo === "string") this.forgottenUpTo = forgottenUpTo;
    this.undated = state.undated === true;
    if (walk && typeof walk === "object" && !Array.isArray(walk)) {
      this.walk = {
        offset: Number(walk.offset) || 0,
        first: walk.first === true,
        full: walk.full === true,
      };
    }
  }

  /** As state, within its bounds: the posts with the smallest ids, the oldest, are forgotten first. */
  write(): JsonObject {
    const rest: JsonObject = {
      ...(this.provisional.size > 0
        ? { provisional: [...this.provisional.values()].slice(-MAX_PROVISIONAL) }
        : {}),
      ...(this.apiOrigin ? { apiOrigin: this.apiOrigin } : {}),
      ...(this.fullWalkAt ? { fullWalkAt: this.fullWalkAt.toISOString() } : {}),
      ...(this.walk ? { walk: { ...this.walk } } : {}),
      ...(this.cookie ? { cookie: this.cookie } : {}),
      ...(this.undated ? { undated: true } : {}),
    };
    const lines: string[] = [];
    let room = MAX_BYTES - sizeOf(rest);
    let forgotten = this.forgottenUpTo;
    for (const [id, post] of this.newestFirst()) {
      const line = `${post.fingerprint || "-"} ${post.slug} ${post.length.toString(36)}${post.teaser ? "." : ""} ${id}`;
      room -= sizeOf(line) + 1;
      if (room < 0) {
        if (forgotten === null || compareIds(id, forgotten) > 0) forgotten = id;
        break; // the rest is smaller still
      }
      lines.push(line);
    }
    return { ...rest, posts: lines, ...(forgotten === null ? {} : { forgottenUpTo: forgotten }) };
  }

  /** Ids grow with time, so these are the newest posts. */
  newestFirst(): [string, Remembered][] {
    return [...this.posts].sort(([a], [b]) => compareIds(b, a));
  }

  /** Is this one of the posts that a finished walk dealt with and there was no room for? */
  mayHaveForgotten(id: string): boolean {
    if (this.posts.has(id) || this.forgottenUpTo === null || this.fullWalkAt === null) return false;
    return compareIds(id, this.forgottenUpTo) <= 0;
  }

  /** The id of the post that has this slug, if it is remembered. */
  findBySlug(slug: string): string | undefined {
    const mark = slugMark(slug);
    for (const [id, post] of this.posts) if (post.slug === mark) return id;
    return undefined;
  }
}

export function slugMark(slug: string): string {
  return shortHash(slug);
}

/** `https://ebb.example/p/tides?utm=x` → `tides`. */
export function slugOf(address: string): string | null {
  const found = /\/p\/([^/?#]+)/.exec(address)?.[1];
  if (!found) return null;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

/** By size for decimals of any length, otherwise by length and bytes. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function sizeOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}
